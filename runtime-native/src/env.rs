//! The JNI environment with just the calls we need, each checked and turned into plain Rust values.
#![expect(
    unsafe_code,
    reason = "JNI is a table of C function pointers over raw references"
)]

use jni_sys::{JNI_OK, JNIEnv, JNINativeInterface__1_6, jarray, jclass, jint, jobject, jstring, jvalue};
use std::ffi::CStr;
use std::ptr;

/// The environment of the current native call. Not to be kept beyond it.
#[derive(Clone, Copy)]
pub struct Env(*mut JNIEnv);

/// Text between Rust and Java as UTF-16: JNI's own "UTF" is not UTF-8 (JNI specification, chapter 3).
impl Env {
    /// # Safety
    /// `env` is the pointer the JVM passed to the native method that is running, on this thread.
    pub unsafe fn new(env: *mut JNIEnv) -> Env {
        Env(env)
    }

    fn functions(self) -> &'static JNINativeInterface__1_6 {
        // SAFETY: by the contract of `new` the pointer is valid and points to the JVM's function table, which
        // lives as long as the JVM; every JVM we run on (8 and up) has all functions of JNI 1.6.
        unsafe { &(**self.0).v1_6 }
    }

    pub fn string(self, text: jstring) -> String {
        if text.is_null() {
            return String::new();
        }
        let f = self.functions();
        // SAFETY: `text` is a live reference to a String, as the native method's signature says; the region
        // asked for is within its length, and the buffer has that length.
        let utf16 = unsafe {
            let length = (f.GetStringLength)(self.0, text).max(0);
            let mut buffer = vec![0u16; length as usize];
            (f.GetStringRegion)(self.0, text, 0, length, buffer.as_mut_ptr());
            buffer
        };
        self.clear_exception();
        String::from_utf16_lossy(&utf16)
    }

    /// null if the JVM is out of memory (an exception is pending then, as Java expects).
    pub fn new_string(self, text: &str) -> jstring {
        let utf16: Vec<u16> = text.encode_utf16().collect();
        // SAFETY: pointer and length describe the buffer, which the call copies.
        unsafe { (self.functions().NewString)(self.0, utf16.as_ptr(), utf16.len() as jint) }
    }

    pub fn strings(self, array: jarray) -> Vec<String> {
        if array.is_null() {
            return Vec::new();
        }
        let f = self.functions();
        // SAFETY: `array` is a live reference to a String[], as the native method's signature says.
        let length = unsafe { (f.GetArrayLength)(self.0, array) };
        let element = |i| {
            // SAFETY: `i` is below the array's length. The local reference is given back at once: a native
            // method has room for 16 only (JNI specification, EnsureLocalCapacity).
            unsafe {
                let reference = (f.GetObjectArrayElement)(self.0, array, i);
                let text = self.string(reference);
                (f.DeleteLocalRef)(self.0, reference);
                text
            }
        };
        (0..length).map(element).collect()
    }

    /// The first `n` elements.
    pub fn ints(self, array: jarray, n: jint) -> Vec<jint> {
        if array.is_null() || n <= 0 {
            return Vec::new();
        }
        let f = self.functions();
        // SAFETY: `array` is a live reference to an int[], as the native method's signature says; the region is
        // cut to its length, and the buffer is that long.
        unsafe {
            let n = n.min((f.GetArrayLength)(self.0, array));
            let mut buffer = vec![0; n.max(0) as usize];
            (f.GetIntArrayRegion)(self.0, array, 0, n, buffer.as_mut_ptr());
            buffer
        }
    }

    pub fn all_ints(self, array: jarray) -> Vec<jint> {
        self.ints(array, jint::MAX)
    }

    pub fn new_ints(self, values: &[u32]) -> jarray {
        let values: Vec<jint> = values.iter().map(|&v| v as jint).collect();
        let f = self.functions();
        // SAFETY: the region written is the whole new array and the whole buffer.
        unsafe {
            let array = (f.NewIntArray)(self.0, values.len() as jint);
            if !array.is_null() {
                (f.SetIntArrayRegion)(self.0, array, 0, values.len() as jint, values.as_ptr());
            }
            array
        }
    }

    /// A class of the JDK, by internal name.
    pub fn class(self, name: &CStr) -> Option<jclass> {
        // SAFETY: `name` ends in NUL.
        let class = unsafe { (self.functions().FindClass)(self.0, name.as_ptr()) };
        self.checked(class)
    }

    /// # Safety
    /// `arguments` fit `descriptor`, which returns a reference.
    pub unsafe fn call_object(
        self,
        receiver: jobject,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
        arguments: &[jvalue],
    ) -> Option<jobject> {
        let f = self.functions();
        // SAFETY: the method is looked up with its descriptor; the caller's arguments fit it.
        let result = unsafe {
            let method = (f.GetMethodID)(self.0, class, name.as_ptr(), descriptor.as_ptr());
            if method.is_null() {
                ptr::null_mut()
            } else {
                (f.CallObjectMethodA)(self.0, receiver, method, arguments.as_ptr())
            }
        };
        self.checked(result)
    }

    /// # Safety
    /// `arguments` fit `descriptor`, which returns void.
    pub unsafe fn call_void(
        self,
        receiver: jobject,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
        arguments: &[jvalue],
    ) -> bool {
        let f = self.functions();
        // SAFETY: the method is looked up with its descriptor; the caller's arguments fit it.
        unsafe {
            let method = (f.GetMethodID)(self.0, class, name.as_ptr(), descriptor.as_ptr());
            if !method.is_null() {
                (f.CallVoidMethodA)(self.0, receiver, method, arguments.as_ptr());
            }
        }
        !self.clear_exception()
    }

    /// # Safety
    /// `arguments` fit `descriptor`, which returns void.
    pub unsafe fn call_static_void(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
        arguments: &[jvalue],
    ) -> bool {
        let f = self.functions();
        // SAFETY: as in `call_void`.
        unsafe {
            let method = (f.GetStaticMethodID)(self.0, class, name.as_ptr(), descriptor.as_ptr());
            if !method.is_null() {
                (f.CallStaticVoidMethodA)(self.0, class, method, arguments.as_ptr());
            }
        }
        !self.clear_exception()
    }

    /// The field as a `java.lang.reflect.Field`, whatever its access. Initializes the class if need be.
    pub fn reflected_field(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
        is_static: bool,
    ) -> Option<jobject> {
        let f = self.functions();
        // SAFETY: the field id comes from the same class and the same kind (static or not), and is not null.
        let field = unsafe {
            let find = if is_static {
                f.GetStaticFieldID
            } else {
                f.GetFieldID
            };
            let id = find(self.0, class, name.as_ptr(), descriptor.as_ptr());
            if id.is_null() {
                ptr::null_mut()
            } else {
                (f.ToReflectedField)(self.0, class, id, is_static)
            }
        };
        self.checked(field)
    }

    /// The elements from `from` on, of a static array field, that are not null, as a new array of `element`.
    pub fn static_array_tail(
        self,
        class: jclass,
        field: &CStr,
        descriptor: &CStr,
        element: jclass,
        from: jint,
    ) -> Option<jarray> {
        let f = self.functions();
        // SAFETY: the field is looked up with its descriptor, an array of references; indices stay below the
        // array's length; what is stored has the element type, as it comes from an array of that type.
        let tail = unsafe {
            let id = (f.GetStaticFieldID)(self.0, class, field.as_ptr(), descriptor.as_ptr());
            let array = if id.is_null() {
                ptr::null_mut()
            } else {
                (f.GetStaticObjectField)(self.0, class, id)
            };
            if array.is_null() {
                ptr::null_mut()
            } else {
                let length = (f.GetArrayLength)(self.0, array);
                let all = (from..length).map(|i| (f.GetObjectArrayElement)(self.0, array, i));
                let some: Vec<jobject> = all.filter(|e| !e.is_null()).collect();
                let tail = (f.NewObjectArray)(self.0, some.len() as jint, element, ptr::null_mut());
                for (at, &value) in some.iter().enumerate().filter(|_| !tail.is_null()) {
                    (f.SetObjectArrayElement)(self.0, tail, at as jint, value);
                }
                tail
            }
        };
        self.checked(tail)
    }

    /// Enters the object's monitor; `false` if that failed.
    pub fn enter(self, object: jobject) -> bool {
        // SAFETY: a local reference of the caller's.
        let done = unsafe { (self.functions().MonitorEnter)(self.0, object) } == JNI_OK;
        self.clear_exception();
        done
    }

    /// Leaves the monitor that [`Env::enter`] entered.
    pub fn exit(self, object: jobject) {
        // SAFETY: as in `enter`.
        unsafe { (self.functions().MonitorExit)(self.0, object) };
        self.clear_exception();
    }

    fn checked(self, reference: jobject) -> Option<jobject> {
        let failed = self.clear_exception();
        (!failed && !reference.is_null()).then_some(reference)
    }

    /// Whether one was pending: ours, never the program's, as no native method is called with one pending.
    fn clear_exception(self) -> bool {
        let f = self.functions();
        // SAFETY: both may be called at any time, with an exception pending or not.
        unsafe {
            let pending = (f.ExceptionCheck)(self.0);
            if pending {
                (f.ExceptionClear)(self.0);
            }
            pending
        }
    }
}
