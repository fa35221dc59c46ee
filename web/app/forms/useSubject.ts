import { useState } from 'react'

/**
 * The row of a dialog. It stays while the dialog fades out, so that its text does not vanish first.
 */
export const useSubject = <Row>() => {
  const [row, setRow] = useState<Row | null>(null)
  const [opened, setOpened] = useState(false)
  return {
    row,
    opened,
    open: (subject: Row) => {
      setRow(subject)
      setOpened(true)
    },
    close: () => setOpened(false),
  }
}
