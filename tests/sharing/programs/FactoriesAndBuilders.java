import java.util.ArrayDeque;
import java.util.Deque;

/** Object pool, factory, builder and fluent setters: the same methods give shared and local objects. */
public class FactoriesAndBuilders {
    static class Car {
        int doors;
        int wheels;
        int bonus;

        Car doors(int number) {
            doors = number; // shared: doors
            return this;
        }

        Car bonus(int number) {
            bonus = number; // local: bonus
            return this;
        }

        static Car create() {
            return new Car();
        }
    }

    static class Builder {
        int wheelCount; // of the next car

        Builder wheels(int number) {
            wheelCount = number; // local: wheelCount
            return this;
        }

        Car build() {
            Car car = Car.create();
            car.wheels = wheelCount; // shared: wheels; local: wheelCount
            return car;
        }
    }

    static class Pool {
        final Deque<Car> free = new ArrayDeque<>();

        synchronized Car take() {
            return free.isEmpty() ? Car.create() : free.pop();
        }

        synchronized void give(Car car) {
            free.push(car);
        }
    }

    public static void main(String[] args) throws Exception {
        Pool pool = new Pool();
        Car pooled = pool.take().doors(2);
        Car built = new Builder().wheels(4).build();
        pool.give(pooled);
        Thread thread = new Thread(() -> {
            Car again = pool.take();
            again.doors++; // shared: doors
            built.wheels++; // shared: wheels
            pool.give(again);
        });
        thread.start();
        thread.join();
        System.out.println(pool.take().doors(5).doors + built.wheels); // shared: doors, wheels
        Car mine = new Car().bonus(1);
        mine.bonus++; // local: bonus
        System.out.println(Car.create().bonus(3).bonus + mine.bonus); // local: bonus
    }
}
