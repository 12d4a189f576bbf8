// SPDX-License-Identifier: MIT
//
// btSoftBody with its default solver: what btSoftRigidDynamicsWorld calls in a step, without the broad phase,
// collisions and rigid bodies around it, so that Bullet is timed at its best. It relaxes without a square root in any
// case (btSoftBody::PSolve_Links), in the order in which links were appended, or as its own helper randomizeConstraints
// shuffles them.
#include "bullet.h"

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <ctime>
#include <vector>

struct bullet {
    btSoftBodyWorldInfo info;
    btSoftBody *body;
    uint32_t substeps;
    double relaxing_s;
};

static double cpu_s() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

extern "C" struct bullet *bullet_create(const struct sheet *sheet, uint32_t substeps, uint32_t sweeps, bool shuffled) {
    bullet *made = new bullet();
    std::vector<btVector3> points;
    std::vector<btScalar> masses(sheet->particles, sheet->particle_mass);
    for (uint32_t i = 0; i < sheet->particles; i++) {
        const float *p = &sheet->position[3 * i];
        points.emplace_back(p[0], p[1], p[2]);
    }
    made->info.m_gravity.setValue(0, btScalar(-9.81), 0);
    made->info.air_density = 0;
    made->info.m_sparsesdf.Initialize();
    made->substeps = substeps;
    made->body = new btSoftBody(&made->info, int(sheet->particles), points.data(), masses.data());
    btSoftBody::Material *material = made->body->appendMaterial();
    material->m_kLST = 1;
    for (uint32_t i = 0; i < sheet->sticks; i++) {
        made->body->appendLink(int(sheet->stick_a[i]), int(sheet->stick_b[i]), material);
    }
    for (uint32_t i = 0; i < sheet->triangles; i++) {
        const uint32_t *corner = &sheet->triangle[3 * i];
        made->body->appendFace(int(corner[0]), int(corner[1]), int(corner[2]));
    }
    if (shuffled) {
        made->body->randomizeConstraints();
    }
    made->body->setMass(int(sheet->pin[0]), 0);
    made->body->setMass(int(sheet->pin[1]), 0);
    made->body->m_cfg.piterations = int(sweeps);
    made->body->m_cfg.collisions = 0;
    made->body->m_cfg.kDP = 0;
    return made;
}

extern "C" void bullet_tick(struct bullet *bullet) {
    for (uint32_t substep = 0; substep < bullet->substeps; substep++) {
        bullet->body->predictMotion(btScalar(1) / btScalar(60 * bullet->substeps));
        const double started = cpu_s();
        bullet->body->solveConstraints();
        bullet->relaxing_s += cpu_s() - started;
        bullet->body->integrateMotion();
    }
}

extern "C" double bullet_relaxing_s(const struct bullet *bullet) {
    return bullet->relaxing_s;
}

extern "C" void bullet_positions(const struct bullet *bullet, float *x, float *y, float *z) {
    for (int i = 0; i < bullet->body->m_nodes.size(); i++) {
        const btVector3 &at = bullet->body->m_nodes[i].m_x;
        x[i] = at.x();
        y[i] = at.y();
        z[i] = at.z();
    }
}

extern "C" void bullet_destroy(struct bullet *bullet) {
    delete bullet->body;
    delete bullet;
}

extern "C" int bullet_version(void) {
    return btGetVersion();
}
