import { NumberInput, type NumberInputProps } from '@mantine/core'
import { AMOUNT_STEP } from '@pool/contract/money'
import { common } from '../i18n/common.ts'

/** What an amount field holds: empty, a number, or text that is not one yet. */
export type TypedAmount = number | string

/** The typed dollars as the contract's rules want them: undefined where nothing was typed. */
export const dollarsOf = (typed: TypedAmount): number | undefined =>
  typed === '' ? undefined : Number(typed)

/** A field for an amount of dollars, to the cent. */
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
