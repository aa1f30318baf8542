//! Tests of the layer as a whole. [`fixture`] makes small classes by hand, [`jvm`] takes real ones from the
//! running JDK and asks its verifier about our results.

mod analyses;
mod fixture;
mod fuzz;
mod hotspot;
mod jvm;
mod relocation;
mod whole_class;
