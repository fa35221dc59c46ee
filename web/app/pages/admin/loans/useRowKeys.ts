import { type RefObject, useEffect } from 'react'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/**
 * Moves the focus between the rows of a list, as the keys of the queue do, while the list has the
 * focus. Rows are links with `data-row`, so that Enter opens one.
 */
export const useRowKeys = (list: RefObject<HTMLElement | null>, isOn: boolean): void =>
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
      next?.focus()
      next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
    }
    element.addEventListener('keydown', onKey)
    return () => element.removeEventListener('keydown', onKey)
  }, [list, isOn])
