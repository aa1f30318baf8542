package racewire.rt;

/** Conditions of models: what they are asked about is null unless the result of a call is as it should be. */
public final class When {
    private When() { }

    public static Object isTrue(Object o, int result) {
        return result != 0 ? o : null;
    }

    public static Object isFalse(Object o, int result) {
        return result == 0 ? o : null;
    }

    public static Object isThere(Object o, Object result) {
        return result != null ? o : null;
    }

    public static Object isNotZero(Object o, int result) {
        return result != 0 ? o : null;
    }

    public static Object isNotZero(Object o, long result) {
        return result != 0 ? o : null;
    }

    public static Object isNatural(Object o, int result) {
        return result >= 0 ? o : null;
    }

    public static Object isNatural(Object o, long result) {
        return result >= 0 ? o : null;
    }
}
