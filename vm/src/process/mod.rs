pub struct Interrupt;
