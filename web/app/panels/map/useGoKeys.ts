import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { type PageName, pages } from '../../layout/map.ts'
import { isMeantForUs, useShortcutsOn } from '../../layout/shortcuts/shortcuts.ts'

/** The time in milliseconds for the letter after `g`. */
const LETTER_MS = 1_500

/** Opens the page of a letter after `g`. The letter then does nothing else. */
export const useGoKeys = (shown: readonly PageName[]): void => {
  const on = useShortcutsOn()
  const navigate = useNavigate()
  const current = useRef(shown)
  current.current = shown
  useEffect(() => {
    if (!on) return
    let until = 0
    const onKey = (event: KeyboardEvent) => {
      if (!isMeantForUs(event)) return
      const follows = event.timeStamp < until
      until = !follows && event.key === 'g' ? event.timeStamp + LETTER_MS : 0
      const page = current.current.find((each) => pages[each].key === event.key)
      if (!follows || !page) return
      event.preventDefault()
      event.stopPropagation()
      void navigate(pages[page].path)
    }
    // Before the keys of the page.
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [on, navigate])
}
