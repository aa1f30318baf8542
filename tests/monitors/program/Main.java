package program;

import behaviour.Log;

/** Each line: what was done, what the advice saw. */
public class Main {
    interface Step {
        Object run() throws Exception;
    }

    static void show(String what, Step step) {
        Log.take();
        String result;
        try {
            result = String.valueOf(step.run());
        } catch (Throwable thrown) {
            result = thrown.getClass().getSimpleName() + " " + thrown.getMessage();
        }
        System.out.println(what + " -> " + result + " | " + Log.take());
    }

    public static void main(String[] args) {
        Parts p = new Parts("p");
        show("new", () -> new Parts("q") != null);
        show("add", () -> p.add(1, 2L));
        show("fail", () -> p.fail(7));
        show("twice", () -> p.twice(200));
        show("thrower", () -> {
            Parts.thrower(new int[1]);
            return "";
        });
        show("wide", () -> {
            p.wide = 5L;
            p.real = 0.5;
            return p.wide++;
        });
        show("give text", () -> Parts.give("a"));
        show("give number", () -> Parts.give(3));
        show("give null", () -> Parts.give(null));
        show("iface", () -> p.own() && p.other());
        show("refused", () -> {
            p.refused();
            return "";
        });
        show("locked", () -> p.locked(40, 2.5));
        show("locked class", () -> {
            Parts.lockedClass();
            return "";
        });
        show("locked and throws", () -> {
            p.lockedAndThrows();
            return "";
        });
        show("block", () -> p.block("lock", () -> 3));
        show("block throws", () -> p.block("lock", () -> p.fail(8)));
        Log.throwAtUnlock = true;
        show("throws at unlock", () -> p.block(p, () -> 4));
        show("throws at unlock of method", () -> p.locked(1, 1));
        Log.throwAtUnlock = false;
        System.out.println("still locked: " + Thread.holdsLock(p));
        show("toString", () -> p.toString());
        show("ancient", () -> {
            p.ancient();
            return "";
        });
    }
}
