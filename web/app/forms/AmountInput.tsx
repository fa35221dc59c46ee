import { TextInput, type TextInputProps } from '@mantine/core'
import { AMOUNT_STEP, MAXIMUM_AMOUNT } from '@pool/contract/base/money'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { common } from '../i18n/common.ts'
import { dollarsText, readDollars } from '../i18n/dollars.ts'

type Props = Omit<TextInputProps, 'value' | 'onChange'> & {
  readonly value?: string
  /** The sentence for an amount above the balance, while it is typed. */
  readonly above?: string | null
  readonly onChange: (typed: string) => void
}

const steps: Readonly<Record<string, number>> = { ArrowUp: AMOUNT_STEP, ArrowDown: -AMOUNT_STEP }

const isMovable = (dollars: number | undefined): dollars is number =>
  dollars !== undefined && dollars >= 0 && dollars <= MAXIMUM_AMOUNT

/**
 * A field for dollars. It keeps the text as it was typed, and once left shows the amount that was
 * read.
 */
export const AmountInput = ({ value = '', above = null, onChange, onBlur, ...props }: Props) => {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const dollars = readDollars(value) ?? 0
    if (props.readOnly || step === undefined || !isMovable(dollars)) return
    event.preventDefault()
    onChange(dollarsText(Math.max(0, dollars + step)))
  }
  // Browsers turn the line break between two pasted cells into a space, which would group them.
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text').trim()
    if (props.readOnly || !/[\t\n\r]/.test(pasted)) return
    event.preventDefault()
    onChange(pasted.replace(/[\t\n\r]+/g, ' / '))
  }
  return (
    <TextInput
      label={common('amount')}
      placeholder="0.00"
      size="md"
      leftSection="$"
      inputMode="decimal"
      autoComplete="off"
      data-autofocus
      {...props}
      error={props.error ?? above}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onBlur={(event) => {
        const dollars = readDollars(value)
        // A change would remove the error.
        if (!props.error && isMovable(dollars) && dollarsText(dollars) !== value)
          onChange(dollarsText(dollars))
        onBlur?.(event)
      }}
    />
  )
}
