import { formatDollars } from '@pool/contract/base/money'
import { t } from '../i18n/filters.ts'
import { dateFormat } from '../i18n/format.ts'
import { type Filter, parametersOf } from './urlState.ts'

const day = dateFormat({ dateStyle: 'medium' })

const endText = ({ kind }: Filter, value: string): string =>
  value &&
  (kind === 'amounts' ? formatDollars(Number(value)) : day().format(new Date(`${value}T00:00`)))

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
