import { useEffect, useRef } from 'react'

/** A form of Mantine with texts only. */
type Form = {
  readonly getValues: () => object
  readonly getInputNode: (name: string) => HTMLElement | null
  readonly setFieldValue: (name: string, value: string, options: { forceUpdate: boolean }) => void
}

/**
 * Takes over the fields of a prerendered form that were filled before React ran, by hand or by a
 * password manager. React hears of later changes only.
 */
export const useEarlyEntries = (form: Form): void => {
  const woken = useRef(form)
  useEffect(() => {
    const { getValues, getInputNode, setFieldValue } = woken.current
    for (const name of Object.keys(getValues())) {
      const field = getInputNode(name)
      if (field instanceof HTMLInputElement && field.value !== '')
        setFieldValue(name, field.value, { forceUpdate: false })
    }
  }, [])
}
