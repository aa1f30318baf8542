/** Inherited fields through super, protected statics, and an object that an interface's constant holds. */
public class SuperAndInterfaceFields {
    static class Cell {
        int inConstant;
        int alone;
    }

    interface Constants {
        Cell CELL = new Cell();
    }

    static class Base {
        protected static int baseStatic;
        protected int baseField;

        void step() {
            baseField++; // shared: baseField
        }
    }

    static class Derived extends Base implements Runnable, Constants {
        @Override
        void step() {
            super.step();
            super.baseField += 2; // shared: baseField
            baseStatic++; // shared: baseStatic
        }

        @Override
        public void run() {
            step();
            CELL.inConstant++; // shared: inConstant
        }
    }

    public static void main(String[] args) throws Exception {
        Derived derived = new Derived();
        derived.step();
        Constants.CELL.inConstant = 1; // shared: inConstant
        Thread thread = new Thread(derived);
        thread.start();
        thread.join();
        System.out.println(derived.baseField + Base.baseStatic); // shared: baseField, baseStatic
        System.out.println(Derived.CELL.inConstant); // shared: inConstant
        Cell own = new Cell();
        own.alone++; // local: alone
        System.out.println(own.alone); // local: alone
    }
}
