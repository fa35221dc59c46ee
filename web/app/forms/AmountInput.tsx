import { NumberInput, type NumberInputProps } from '@mantine/core'
import { AMOUNT_STEP } from '@pool/contract/money'
import { common } from '../i18n/common.ts'

/** An empty field, a number, or text that is not one yet. */
export type TypedAmount = number | string

/** The typed dollars; undefined for an empty field. */
export const dollarsOf = (typed: TypedAmount): number | undefined =>
  typed === '' ? undefined : Number(typed)

/** A field for dollars with two decimals. */
export const AmountInput = (props: NumberInputProps) => (
  <NumberInput
    label={common('amount')}
    placeholder="0.00"
    size="md"
    leftSection="$"
    inputMode="decimal"
    step={AMOUNT_STEP}
    decimalScale={2}
    thousandSeparator=","
    hideControls
    data-autofocus
    {...props}
  />
)
