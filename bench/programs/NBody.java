import java.util.SplittableRandom;

/** Bodies under mutual attraction, integrated step by step: floating point over the fields of a few objects. */
public final class NBody {
    private static final int BODIES = 24;
    private static final int STEPS = 280_000;
    private static final double STEP = 0.001;
    /** Keeps close encounters finite. */
    private static final double SOFTENING = 0.05;

    static final class Body {
        double x;
        double y;
        double z;
        double vx;
        double vy;
        double vz;
        double mass;

        void move() {
            x += vx * STEP;
            y += vy * STEP;
            z += vz * STEP;
        }

        void attract(Body other) {
            double dx = other.x - x;
            double dy = other.y - y;
            double dz = other.z - z;
            double square = dx * dx + dy * dy + dz * dz + SOFTENING;
            double pull = STEP / (square * Math.sqrt(square));
            vx += dx * other.mass * pull;
            vy += dy * other.mass * pull;
            vz += dz * other.mass * pull;
            other.vx -= dx * mass * pull;
            other.vy -= dy * mass * pull;
            other.vz -= dz * mass * pull;
        }

        double kinetic() {
            return 0.5 * mass * (vx * vx + vy * vy + vz * vz);
        }
    }

    private Body[] bodies;

    private void scatter() {
        SplittableRandom random = new SplittableRandom(42);
        bodies = new Body[BODIES];
        for (int i = 0; i < BODIES; i++) {
            Body body = new Body();
            body.x = random.nextDouble() * 10 - 5;
            body.y = random.nextDouble() * 10 - 5;
            body.z = random.nextDouble() * 2 - 1;
            body.vx = random.nextDouble() - 0.5;
            body.vy = random.nextDouble() - 0.5;
            body.mass = 0.1 + random.nextDouble();
            bodies[i] = body;
        }
    }

    private void step() {
        for (int i = 0; i < BODIES; i++) {
            Body body = bodies[i];
            for (int j = i + 1; j < BODIES; j++) {
                body.attract(bodies[j]);
            }
        }
        for (Body body : bodies) {
            body.move();
        }
    }

    private long simulate() {
        scatter();
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        double energy = 0;
        for (Body body : bodies) {
            energy += body.kinetic();
        }
        return Double.doubleToLongBits(energy);
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new NBody()::simulate);
    }
}
