/** A list, see list.h. */
#include "list.h"
#include <stdio.h>
#define EACH(l, n) for (node *n = (l)->head; n; n = n->next)
#if 0
#include "old.h"
#endif
#ifdef DEBUG
#define LOG(...) fprintf(stderr, __VA_ARGS__)
#else
#define LOG(...)
#endif

typedef struct list {
    node *head, *tail;
    unsigned long len;
    void (*free)(void *ptr);
} list;

static int cmp(const void *a, const void *b) {
    return *(int *)a - *(int *)b;
}

#ifdef OLD
int list_add(list *l, int v)
int v;
{
#else
int list_add(list *l, int v) {
#endif
    node *n = malloc(sizeof(*n));
    n->value = v; n->next = ((list *)l)->head;
    l->head = n; l->len++;
    LOG("added %d\n", v);
    EACH(l, m) { if (m->value == 'x') return cmp(&m->value, &v); }
    return (int)l->len;
}

enum state { IDLE, BUSY = 4, };
struct ops ops[] = { { .open = list_open, .flags = IDLE | BUSY }, { 0 } };
