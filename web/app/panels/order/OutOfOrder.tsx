import { TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { t } from '../../i18n/order.ts'
import type { OrderReason } from './useOrderReason.ts'

type Props = { readonly order: OrderReason; readonly busy: boolean }

/** Says that older withdrawals are passed over, and asks for the reason. Empty where none is. */
export const OutOfOrder = ({ order, busy }: Props) => {
  const { passedOver, typed, isMissing, type } = order
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isMissing) field.current?.focus()
  }, [isMissing])
  if (passedOver === 0) return null
  return (
    <TextInput
      ref={field}
      label={t('label')}
      description={t('passed', { count: passedOver })}
      error={isMissing && t('missing')}
      required
      maxLength={500}
      autoComplete="off"
      value={typed}
      readOnly={busy}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
