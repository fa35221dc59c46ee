type Event = { readonly time: number; readonly order: number; readonly run: () => void }

const isBefore = (one: Event, other: Event): boolean =>
  one.time < other.time || (one.time === other.time && one.order < other.order)

/** A clock in milliseconds that jumps to the next event. Events of one moment keep their order. */
export const openClock = () => {
  const heap: Event[] = []
  let now = 0
  let order = 0

  const swap = (one: number, other: number): void => {
    const event = heap[one] as Event
    heap[one] = heap[other] as Event
    heap[other] = event
  }
  const rise = (place: number): void => {
    const parent = (place - 1) >> 1
    if (place === 0 || !isBefore(heap[place] as Event, heap[parent] as Event)) return
    swap(place, parent)
    rise(parent)
  }
  const sink = (place: number): void => {
    const [left, right] = [2 * place + 1, 2 * place + 2]
    let least = place
    for (const child of [left, right])
      if (child < heap.length && isBefore(heap[child] as Event, heap[least] as Event)) least = child
    if (least === place) return
    swap(place, least)
    sink(least)
  }
  const first = (): Event | undefined => {
    const [event] = heap
    const last = heap.pop()
    if (last && heap.length > 0) {
      heap[0] = last
      sink(0)
    }
    return event
  }

  return {
    now: () => now,
    at: (time: number, run: () => void): void => {
      order += 1
      heap.push({ time: Math.max(time, now), order, run })
      rise(heap.length - 1)
    },
    /** Runs all events up to a moment. */
    runUntil: (end: number): void => {
      while (heap[0] && heap[0].time <= end) {
        const event = first() as Event
        now = event.time
        event.run()
      }
      now = end
    },
  }
}
