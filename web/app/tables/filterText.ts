import { formatDollars } from '@pool/contract/base/money'
import { t } from '../i18n/filters.ts'
import { dateFormat } from '../i18n/format.ts'
import { type Filter, parametersOf } from './urlState.ts'

const day = dateFormat({ dateStyle: 'medium' })

type Range = Exclude<Filter, { readonly kind: 'choices' }>
const END_TEXTS: Readonly<Record<Range['kind'], (value: string) => string>> = {
  amounts: (value) => formatDollars(Number(value)),
  days: (value) => day().format(new Date(`${value}T00:00`)),
}
const endText = ({ kind }: Range, value: string): string => value && END_TEXTS[kind](value)

/** The value of a filter that is set: 'Pending, Approved', 'from $1,000.00'. */
export const filterText = (filter: Filter, get: (name: string) => string): string => {
  if (filter.kind === 'choices') {
    const chosen = get(filter.name).split(',')
    return filter.choices
      .filter(({ value }) => chosen.includes(value))
      .map(({ label }) => label)
      .join(', ')
  }
  const [from = '', to = ''] = parametersOf(filter).map((name) => endText(filter, get(name)))
  if (from && to) return from === to ? from : t('range', { from, to })
  return from ? t('range.from', { from }) : t('range.to', { to })
}
