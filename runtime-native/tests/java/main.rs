//! The runtime on real JVMs: builds the Java side with each JDK of this machine and runs programs whose classes
//! are woven by hand (`runtime-java/test`).

#[cfg(test)]
mod built;
#[cfg(test)]
mod environments;
#[cfg(test)]
mod programs;
