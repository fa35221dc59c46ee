import { type RefObject, useEffect, useRef } from 'react'

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

type RowKeys = {
  readonly list: RefObject<HTMLElement | null>
  readonly isOn: boolean
  /** The rows of this page, empty while another one loads. */
  readonly ids: readonly string[]
  /** Turns to the page after or before this one. False without one. */
  readonly turn: (step: 1 | -1) => boolean
}

/**
 * Moves the focus between the rows of a list that has it, as the keys of the queue do, also over
 * the edge of a page. Rows are links with their id as `data-row`, so that Enter opens one.
 */
export const useRowKeys = ({ list, isOn, ids, turn }: RowKeys): void => {
  /** The edge of a page that was turned to, which the focus goes to once it is drawn. */
  const wanted = useRef<1 | -1 | null>(null)
  const latest = useRef(turn)
  latest.current = turn
  useEffect(() => {
    const element = list.current
    if (!element || !isOn) return
    const onKey = (event: KeyboardEvent) => {
      const step = steps[event.key]
      const { target } = event
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      if (!(target instanceof HTMLElement) || target.matches('input, textarea, select')) return
      const rows = [...element.querySelectorAll<HTMLElement>('[data-row]')]
      const at = rows.indexOf(target)
      const next = rows[at < 0 ? 0 : at + step]
      // Other keys of the page stay what they are.
      event.preventDefault()
      if (!next && at >= 0 && wanted.current === null && latest.current(step)) wanted.current = step
      next?.focus()
      next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
    }
    element.addEventListener('keydown', onKey)
    return () => element.removeEventListener('keydown', onKey)
  }, [list, isOn])

  const [first, last] = [ids[0], ids.at(-1)]
  useEffect(() => {
    const element = list.current
    const id = wanted.current === 1 ? first : last
    if (!element || wanted.current === null || id === undefined) return
    const focus = () => {
      const row = element.querySelector<HTMLElement>(`[data-row="${id}"]`)
      if (!row) return
      observer.disconnect()
      wanted.current = null
      row.focus()
      row.closest('tr')?.scrollIntoView({ block: 'nearest' })
    }
    // The rows are drawn later than they are known.
    const observer = new MutationObserver(focus)
    observer.observe(element, { childList: true, subtree: true })
    focus()
    return () => observer.disconnect()
  }, [list, first, last])
}
