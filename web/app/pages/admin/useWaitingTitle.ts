import { useEffect } from 'react'

/** Puts the number of waiting requests before the page's title. */
export const useWaitingTitle = (waiting: number, title: string): void =>
  useEffect(() => {
    if (waiting === 0) return
    const counted = `(${waiting}) ${title}`
    document.title = counted
    return () => {
      // The next page may have set its own.
      if (document.title === counted) document.title = title
    }
  }, [waiting, title])
