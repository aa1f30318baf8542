import java.util.SplittableRandom;

/**
 * A small picture of mirroring spheres, drawn by two threads, each every other line. The scene is made by one thread
 * and read by all; vectors, rays and hits are short-lived objects of their thread.
 */
public final class RayTracer {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 750;
    private static final int SPHERES = 110;
    private static final int THREADS = 2;
    private static final int REFLECTIONS = 3;
    private static final double FAR = 1e9;

    static final class Vec3 {
        double x;
        double y;
        double z;

        Vec3(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        Vec3 plus(Vec3 o) {
            return new Vec3(x + o.x, y + o.y, z + o.z);
        }

        Vec3 minus(Vec3 o) {
            return new Vec3(x - o.x, y - o.y, z - o.z);
        }

        Vec3 times(double f) {
            return new Vec3(x * f, y * f, z * f);
        }

        double dot(Vec3 o) {
            return x * o.x + y * o.y + z * o.z;
        }

        Vec3 unit() {
            return times(1 / Math.sqrt(dot(this)));
        }
    }

    static final class Ray {
        Vec3 from;
        Vec3 direction;

        Ray(Vec3 from, Vec3 direction) {
            this.from = from;
            this.direction = direction;
        }

        Vec3 at(double distance) {
            return from.plus(direction.times(distance));
        }
    }

    static final class Sphere {
        Vec3 centre;
        double radius;
        double mirror;
        Vec3 colour;

        Sphere(Vec3 centre, double radius, double mirror, Vec3 colour) {
            this.centre = centre;
            this.radius = radius;
            this.mirror = mirror;
            this.colour = colour;
        }

        /** Distance along the ray, or {@link #FAR}. */
        double hit(Ray ray) {
            Vec3 to = centre.minus(ray.from);
            double along = to.dot(ray.direction);
            double square = along * along - to.dot(to) + radius * radius;
            if (square < 0) {
                return FAR;
            }
            double root = Math.sqrt(square);
            double near = along - root;
            if (near > 1e-6) {
                return near;
            }
            double behind = along + root;
            return behind > 1e-6 ? behind : FAR;
        }
    }

    private Sphere[] spheres;
    private Vec3 light;
    private int[] picture;

    private void scene() {
        SplittableRandom random = new SplittableRandom(7);
        spheres = new Sphere[SPHERES];
        for (int i = 0; i < SPHERES; i++) {
            double depth = 4 + random.nextDouble() * 6;
            Vec3 centre = new Vec3(random.nextDouble() * 8 - 4, random.nextDouble() * 6 - 3, depth);
            Vec3 colour = new Vec3(random.nextDouble(), random.nextDouble(), random.nextDouble());
            spheres[i] = new Sphere(centre, 0.3 + random.nextDouble() * 0.7, random.nextDouble() * 0.6, colour);
        }
        light = new Vec3(-0.5, 0.8, -0.6).unit();
    }

    private Vec3 trace(Ray ray, int reflections) {
        Sphere nearest = null;
        double distance = FAR;
        for (Sphere sphere : spheres) {
            double d = sphere.hit(ray);
            if (d < distance) {
                distance = d;
                nearest = sphere;
            }
        }
        if (nearest == null) {
            return new Vec3(0.2, 0.3, 0.5).times(0.5 + 0.5 * ray.direction.y);
        }
        Vec3 point = ray.at(distance);
        Vec3 normal = point.minus(nearest.centre).unit();
        double brightness = 0.15 + (inShadow(point) ? 0 : Math.max(0, normal.dot(light)));
        Vec3 own = nearest.colour.times(brightness);
        if (reflections == 0) {
            return own;
        }
        Vec3 mirrored = ray.direction.minus(normal.times(2 * ray.direction.dot(normal)));
        Vec3 seen = trace(new Ray(point, mirrored), reflections - 1);
        return own.times(1 - nearest.mirror).plus(seen.times(nearest.mirror));
    }

    private boolean inShadow(Vec3 point) {
        Ray toLight = new Ray(point, light);
        for (Sphere sphere : spheres) {
            if (sphere.hit(toLight) < FAR) {
                return true;
            }
        }
        return false;
    }

    private void drawEvery(int first) {
        Vec3 eye = new Vec3(0, 0, -2);
        for (int y = first; y < HEIGHT; y += THREADS) {
            for (int x = 0; x < WIDTH; x++) {
                double dx = (x - WIDTH / 2.0) / WIDTH * 1.6;
                double dy = (HEIGHT / 2.0 - y) / WIDTH * 1.6;
                Vec3 colour = trace(new Ray(eye, new Vec3(dx, dy, 1).unit()), REFLECTIONS);
                picture[y * WIDTH + x] = channel(colour.x) << 16 | channel(colour.y) << 8 | channel(colour.z);
            }
        }
    }

    private static int channel(double value) {
        return (int) (Math.min(1, Math.max(0, value)) * 255);
    }

    private long draw() throws InterruptedException {
        scene();
        picture = new int[WIDTH * HEIGHT];
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int first = t;
            threads[t] = new Thread(() -> drawEvery(first));
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long sum = 0;
        for (int pixel : picture) {
            sum = sum * 31 + pixel;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new RayTracer()::draw);
    }
}
