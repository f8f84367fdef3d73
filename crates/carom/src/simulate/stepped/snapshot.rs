//! Saving a run by forces, and going on as if it had never stopped.
