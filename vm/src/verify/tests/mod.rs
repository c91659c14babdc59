mod crafted;
mod damage;
mod sample;
