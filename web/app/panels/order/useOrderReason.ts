import { useState } from 'react'

/** The reason for which older withdrawals are passed over, as it is typed. */
export const useOrderReason = (passedOver: number) => {
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  return {
    passedOver,
    typed,
    isMissing,
    type: (text: string) => {
      setTyped(text)
      setMissing(false)
    },
    /** True unless a reason is asked for and missing, which its field then says. */
    check: (): boolean => {
      const missing = passedOver > 0 && typed.trim() === ''
      setMissing(missing)
      return !missing
    },
    /** The part of a payload. */
    payload: passedOver > 0 && typed.trim() ? { outOfOrderReason: typed.trim() } : {},
  }
}
export type OrderReason = ReturnType<typeof useOrderReason>
