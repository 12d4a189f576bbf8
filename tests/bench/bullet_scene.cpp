// SPDX-License-Identifier: MIT
//
// Bullet on the scenes of the comparison: bullet_scene SCENE SUBSTEPS ITERATIONS TICKS EVERY < SCENE > SAMPLES, where the scene
// is the numbers that peers/bullet.mjs writes. Samples are binary float32, after every EVERY ticks: x, y, z of all nodes of a
// sheet, or twelve numbers of each body: its centre and its axes. Standard error gets the mean CPU ms of a tick as JSON.
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace {

double cpu_s() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

btScalar number() {
    btScalar value = 0;
    std::cin >> value;
    return value;
}

btVector3 vector() {
    const btScalar x = number(), y = number(), z = number();
    return {x, y, z};
}

struct running {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btSoftRigidDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<btRigidBody *> bodies; // those that are sampled
    btSoftBody *sheet = nullptr;
    std::vector<int> pins;
    std::function<void()> move = [] {};
};

btRigidBody *box(running &made, const btVector3 &place, const btVector3 &size, btScalar mass, btScalar friction) {
    auto *shape = new btBoxShape(size / 2);
    btVector3 inertia(0, 0, 0);
    if (mass > 0) {
        shape->calculateLocalInertia(mass, inertia);
    }
    auto *body = new btRigidBody(mass, new btDefaultMotionState(btTransform(btQuaternion::getIdentity(), place)), shape, inertia);
    body->setFriction(friction);
    body->setActivationState(DISABLE_DEACTIVATION);
    made.world.addRigidBody(body);
    return body;
}

void ground(running &made) {
    box(made, btVector3(0, -1, 0), btVector3(100, 2, 100), 0, btScalar(0.5));
}

// A sheet with rigid links along the sides of its triangles, its nodes in the order of the scene.
void make_sheet(running &made, int iterations) {
    std::vector<btVector3> points;
    for (auto left = size_t(number()); left > 0; left--) {
        points.push_back(vector());
    }
    const auto triangles = size_t(number());
    std::vector<std::array<int, 3>> corners(triangles);
    for (auto &triangle : corners) {
        for (int &corner : triangle) {
            corner = int(number());
        }
    }
    for (auto left = size_t(number()); left > 0; left--) {
        made.pins.push_back(int(number()));
    }
    const btScalar mass = number();
    auto &info = made.world.getWorldInfo();
    info.air_density = 0;
    info.m_sparsesdf.Initialize();
    const std::vector<btScalar> masses(points.size(), mass / btScalar(points.size()));
    auto *sheet = new btSoftBody(&info, int(points.size()), points.data(), masses.data());
    btSoftBody::Material *material = sheet->appendMaterial();
    material->m_kLST = 1;
    for (const auto &[a, b, c] : corners) {
        sheet->appendFace(a, b, c);
        sheet->appendLink(a, b, material, true);
        sheet->appendLink(b, c, material, true);
        sheet->appendLink(c, a, material, true);
    }
    for (const int pin : made.pins) {
        sheet->setMass(pin, 0);
    }
    sheet->m_cfg.piterations = iterations;
    sheet->m_cfg.kDP = 0;
    sheet->setActivationState(DISABLE_DEACTIVATION);
    made.world.addSoftBody(sheet);
    made.sheet = sheet;
}

void make_cloth(running &made, int iterations) {
    make_sheet(made, iterations);
    made.sheet->m_cfg.collisions = 0;
}

// The held nodes follow the places that the scene gives for each tick.
void make_twist(running &made, int iterations) {
    make_sheet(made, iterations);
    made.sheet->getCollisionShape()->setMargin(number());
    made.sheet->m_cfg.collisions = btSoftBody::fCollision::VF_SS | btSoftBody::fCollision::CL_SELF;
    made.sheet->generateClusters(64);
    made.move = [&made] {
        for (const int pin : made.pins) {
            made.sheet->m_nodes[pin].m_x = vector();
            made.sheet->m_nodes[pin].m_v.setZero();
        }
    };
}

void make_balloon(running &made, int iterations) {
    ground(made);
    make_sheet(made, iterations);
    made.sheet->m_cfg.kPR = number();
    made.sheet->m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
}

void make_boxes(running &made, int) {
    for (auto left = size_t(number()); left > 0; left--) {
        const btVector3 centre = vector(), size = vector();
        box(made, centre, size, 0, btScalar(0.5));
    }
    const auto count = size_t(number());
    const btScalar size = number(), mass = number(), friction = number();
    ground(made);
    for (size_t i = 0; i < count; i++) {
        made.bodies.push_back(box(made, vector(), btVector3(size, size, size), mass, friction));
    }
}

void make_bridge(running &made, int) {
    const auto planks = int(number());
    const btVector3 size = vector();
    const btScalar mass = number();
    std::vector<btVector3> places;
    for (int i = 0; i < planks; i++) {
        places.push_back(vector());
        made.bodies.push_back(box(made, places.back(), size, mass, btScalar(0.5)));
    }
    for (auto left = size_t(number()); left > 0; left--) {
        const int before = int(number()), after = int(number());
        const btVector3 point = vector();
        const auto is_plank = [planks](int i) { return i >= 0 && i < planks; };
        btTypedConstraint *joint = nullptr;
        if (is_plank(before) && is_plank(after)) {
            joint = new btPoint2PointConstraint(*made.bodies[size_t(before)], *made.bodies[size_t(after)], point - places[size_t(before)], point - places[size_t(after)]);
        } else {
            const auto i = size_t(is_plank(before) ? before : after);
            joint = new btPoint2PointConstraint(*made.bodies[i], point - places[i]);
        }
        made.world.addConstraint(joint, true);
    }
    const btVector3 place = vector();
    const btScalar edge = number(), heavy = number();
    box(made, place, btVector3(edge, edge, edge), heavy, btScalar(0.5));
}

void write_sample(const running &made) {
    const auto put = [](const btVector3 &at) {
        const float three[3] = {at.x(), at.y(), at.z()};
        fwrite(three, sizeof three, 1, stdout);
    };
    for (const btRigidBody *body : made.bodies) {
        const btTransform &at = body->getWorldTransform();
        put(at.getOrigin());
        for (int axis = 0; axis < 3; axis++) {
            put(at.getBasis().getColumn(axis));
        }
    }
    for (int i = 0; made.sheet != nullptr && i < made.sheet->m_nodes.size(); i++) {
        put(made.sheet->m_nodes[i].m_x);
    }
}

} // namespace

int main(int argc, char **argv) {
    const struct {
        const char *name;
        void (*make)(running &, int);
    } scenes[] = {{"cloth", make_cloth}, {"boxes", make_boxes}, {"bridge", make_bridge}, {"twist", make_twist}, {"balloon", make_balloon}};
    if (argc != 6) {
        fprintf(stderr, "bullet_scene SCENE SUBSTEPS ITERATIONS TICKS EVERY < SCENE > SAMPLES\n");
        return 2;
    }
    const int substeps = atoi(argv[2]), iterations = atoi(argv[3]), ticks = atoi(argv[4]), every = atoi(argv[5]);
    static running made;
    made.world.setGravity(btVector3(0, btScalar(-9.81), 0));
    made.world.getWorldInfo().m_gravity = btVector3(0, btScalar(-9.81), 0);
    made.world.getWorldInfo().m_dispatcher = &made.dispatcher;
    made.world.getWorldInfo().m_broadphase = &made.broadphase;
    made.world.getSolverInfo().m_numIterations = iterations;
    for (const auto &scene : scenes) {
        if (scene.name == std::string(argv[1])) {
            scene.make(made, iterations);
        }
    }
    double spent_s = 0;
    for (int tick = 1; tick <= ticks; tick++) {
        made.move();
        const double started = cpu_s();
        made.world.stepSimulation(btScalar(1) / 60, substeps, btScalar(1) / btScalar(60 * substeps));
        spent_s += cpu_s() - started;
        if (every > 0 && tick % every == 0) {
            write_sample(made);
        }
    }
    fprintf(stderr, "{\"ms\":%.4f}\n", spent_s * 1e3 / ticks);
    fflush(stdout);
    _Exit(0); // Bullet's objects end with the process
}
