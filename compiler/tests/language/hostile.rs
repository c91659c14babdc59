//! Input nobody writes: nothing panics, and an artifact is made exactly when there is no error.
