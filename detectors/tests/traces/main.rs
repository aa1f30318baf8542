//! Traces of events, driven through the core as the Java runtime drives it.

mod agreement;
mod claim;
mod figures;
mod generate;
mod limits;
mod locks;
mod replay;
