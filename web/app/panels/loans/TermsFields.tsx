import { NativeSelect, TextInput, type TextInputProps } from '@mantine/core'
import { dayCounts, loanPeriods } from '@pool/contract/lending/loanDays'
import { scheduleKinds } from '@pool/contract/lending/schedules'
import type { ReactNode } from 'react'
import { named } from '../../i18n/loans.ts'
import classes from './Loans.module.css'
import type { TermsValues } from './typedTerms.ts'

type FieldProps = Pick<TextInputProps, 'label' | 'readOnly' | 'autoComplete' | 'error'> & {
  readonly value?: string
}

type Props = {
  readonly field: (name: keyof TermsValues) => FieldProps
  readonly period: string
  readonly onFirst: (day: string) => void
  /** Stands beside the first due day. */
  readonly children: ReactNode
}

/** The options of a closed list, in the reader's words. */
export const choices = (
  group: 'purpose' | 'schedule' | 'period' | 'dayCount',
  values: readonly string[],
) => values.map((value) => ({ value, label: named(group, value) }))

/** The fields of a schedule: its kind, how many, when, and how days count. */
export const TermsFields = ({ field, period, onFirst, children }: Props) => (
  <>
    <NativeSelect data={choices('schedule', scheduleKinds)} {...field('schedule')} />
    <div className={classes.pair}>
      <TextInput inputMode="numeric" {...field('instalments')} />
      <NativeSelect data={choices('period', loanPeriods)} {...field('period')} />
    </div>
    <div className={classes.pair}>
      {children}
      <TextInput
        type="date"
        {...field('firstDueOn')}
        onChange={(event) => onFirst(event.currentTarget.value)}
      />
    </div>
    <div className={classes.pair}>
      <TextInput inputMode="numeric" {...field('dueDay')} disabled={period === 'weekly'} />
      <NativeSelect data={choices('dayCount', dayCounts)} {...field('dayCount')} />
    </div>
  </>
)
