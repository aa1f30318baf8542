package tsp;

/**
 * Travelling salesman (004's "tsp"): threads take partial tours from a shared stack, extend them, and keep the shortest
 * complete one. The bound is read without ceremony to cut branches, and looked at again when it is replaced.
 */
public final class Tsp {
    static final class Tour {
        final int[] cities;
        final int length;

        Tour(int[] cities, int length) {
            this.cities = cities;
            this.length = length;
        }
    }

    static final class Search {
        private final int[][] distance;
        private final Object stackLock = new Object();
        private final Object bestLock = new Object();
        private final Tour[] stack = new Tour[10_000];
        private int depth;
        private int working;
        private int best = Integer.MAX_VALUE;
        private Tour bestTour;

        Search(int[][] distance) {
            this.distance = distance;
        }

        void push(Tour tour) {
            synchronized (stackLock) {
                stack[depth] = tour;
                depth++;
            }
        }

        Tour pop() {
            synchronized (stackLock) {
                if (depth == 0) {
                    return null;
                }
                depth--;
                working++;
                return stack[depth];
            }
        }

        void done() {
            synchronized (stackLock) {
                working--;
            }
        }

        int bound() {
            synchronized (bestLock) {
                return best;
            }
        }

        void finish(Tour tour, int length) {
            synchronized (bestLock) {
                if (length < best) {
                    best = length;
                    bestTour = tour;
                }
            }
        }
    }

    static final class Worker extends Thread {
        private final Search search;

        Worker(Search search) {
            this.search = search;
        }

        @Override
        public void run() {
            Tour tour = search.pop();
            while (tour != null) {
                extend(tour);
                search.done();
                tour = search.pop();
            }
        }

        private void extend(Tour tour) {
            int[][] distance = search.distance;
            int last = tour.cities[tour.cities.length - 1];
            if (tour.cities.length == distance.length) {
                search.finish(tour, tour.length + distance[last][0]);
                return;
            }
            for (int city = 1; city < distance.length; city++) {
                if (contains(tour.cities, city)) {
                    continue;
                }
                int length = tour.length + distance[last][city];
                if (length < search.bound()) {
                    int[] cities = java.util.Arrays.copyOf(tour.cities, tour.cities.length + 1);
                    cities[tour.cities.length] = city;
                    search.push(new Tour(cities, length));
                }
            }
        }

        private static boolean contains(int[] cities, int city) {
            for (int c : cities) {
                if (c == city) {
                    return true;
                }
            }
            return false;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int[][] distance = new int[6][6];
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                distance[i][j] = (i * 7 + j * 13) % 10 + 1;
            }
        }
        Search search = new Search(distance);
        search.push(new Tour(new int[] {0}, 0));
        Worker first = new Worker(search);
        Worker second = new Worker(search);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
