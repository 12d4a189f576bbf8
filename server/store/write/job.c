// SPDX-License-Identifier: MIT
#include "store/write/job.h"

#include "store/store_state.h"

enum result store_run_job(struct store *store, struct store_job *job) {
    struct fault own = {0};
    job->fault = job->fault != NULL ? job->fault : &own;
    job->next = NULL;
    job->done = false;
    pthread_mutex_lock(&store->mutex);
    *store->jobs_tail = job;
    store->jobs_tail = &job->next;
    pthread_cond_signal(&store->woken);
    while (!job->done) {
        pthread_cond_wait(&store->job_done, &store->mutex);
    }
    pthread_mutex_unlock(&store->mutex);
    return job->result;
}
