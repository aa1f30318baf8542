package elevator;

/**
 * Elevators in a house (004's "elevator"): calls are left at the floors, lifts look for them, claim them and carry people.
 * A lift looks at a floor first and claims it later. Whether somebody else has claimed it is looked at again then, whether
 * there is still somebody waiting is not: it may come for nothing, and nobody is hurt.
 */
public final class Elevator {
    static final class Floor {
        private int upWaiting;
        private int downWaiting;
        private boolean upClaimed;
        private boolean downClaimed;
    }

    static final class Controls {
        private final Floor[] floors;

        Controls(int count) {
            floors = new Floor[count];
            for (int i = 0; i < count; i++) {
                floors[i] = new Floor();
            }
        }

        void callUp(int floor) {
            synchronized (floors[floor]) {
                floors[floor].upWaiting++;
            }
        }

        void callDown(int floor) {
            synchronized (floors[floor]) {
                floors[floor].downWaiting++;
            }
        }

        boolean checkUp(int floor) {
            synchronized (floors[floor]) {
                return floors[floor].upWaiting > 0 && !floors[floor].upClaimed; // run views
            }
        }

        boolean checkDown(int floor) {
            synchronized (floors[floor]) {
                return floors[floor].downWaiting > 0 && !floors[floor].downClaimed; // run views
            }
        }

        boolean claimUp(int floor) {
            if (checkUp(floor)) {
                synchronized (floors[floor]) {
                    if (!floors[floor].upClaimed) { // expect method-consistency; run views (benign)
                        floors[floor].upClaimed = true; // expect causal (benign)
                        return true;
                    }
                }
            }
            return false;
        }

        boolean claimDown(int floor) {
            if (checkDown(floor)) {
                synchronized (floors[floor]) {
                    if (!floors[floor].downClaimed) { // expect method-consistency; run views (benign)
                        floors[floor].downClaimed = true; // expect causal (benign)
                        return true;
                    }
                }
            }
            return false;
        }

        int enterUp(int floor) {
            synchronized (floors[floor]) {
                int people = floors[floor].upWaiting; // may views
                floors[floor].upWaiting = 0;
                floors[floor].upClaimed = false;
                return people;
            }
        }

        int enterDown(int floor) {
            synchronized (floors[floor]) {
                int people = floors[floor].downWaiting; // may views
                floors[floor].downWaiting = 0;
                floors[floor].downClaimed = false;
                return people;
            }
        }
    }

    static final class Lift extends Thread {
        private final Controls controls;
        private final int top;
        private int carried;

        Lift(Controls controls, int top) {
            this.controls = controls;
            this.top = top;
        }

        @Override
        public void run() {
            for (int round = 0; round < 5; round++) {
                for (int floor = 0; floor < top; floor++) {
                    if (controls.claimUp(floor)) {
                        carried += controls.enterUp(floor);
                    }
                }
                for (int floor = top - 1; floor >= 0; floor--) {
                    if (controls.claimDown(floor)) {
                        carried += controls.enterDown(floor);
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Controls controls = new Controls(6);
        Lift first = new Lift(controls, 6);
        Lift second = new Lift(controls, 6);
        first.start();
        second.start();
        for (int floor = 0; floor < 6; floor++) {
            controls.callUp(floor);
            controls.callDown(5 - floor);
        }
        first.join();
        second.join();
    }
}
