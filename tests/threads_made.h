/* Counts the threads that a test program makes: libgomp keeps threads for outermost regions of one size only, so that a
 * solve which makes any pays for them each time. */
#ifndef SB_TEST_THREADS_MADE_H
#define SB_TEST_THREADS_MADE_H

#include <dlfcn.h>
#include <pthread.h>

static int threads_made;

/* In the place of the C library's, which it calls. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                          void *(*begin)(void *), void *argument)
{
    typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    creator *create = (creator *)dlsym(RTLD_NEXT, "pthread_create");
    __atomic_fetch_add(&threads_made, 1, __ATOMIC_SEQ_CST);
    return create(thread, attributes, begin, argument);
}

#endif
