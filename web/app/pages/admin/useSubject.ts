import { useState } from 'react'

/**
 * The row that a dialog is about. It stays while the dialog fades out, so that the text does not
 * vanish before the frame.
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
