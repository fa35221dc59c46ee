import { NativeSelect, type NativeSelectProps, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useListPage } from '../../api/http/lists.ts'
import { borrowerList, useBorrower } from '../../api/lending/borrowers.ts'
import { t as onRecord } from '../../i18n/loanRecords.ts'
import { t } from '../../i18n/loans.ts'
import { TYPING_DELAY_MS } from '../../tables/useEntered.ts'

type Props = Pick<NativeSelectProps, 'label' | 'error' | 'onChange'> & {
  readonly value?: string
  readonly readOnly: boolean
}

/** Borrowers that the list offers at once. More are found by a part of their name. */
const OFFERED = 50

/** Chooses a borrower. A search above narrows a long list. */
export const BorrowerField = ({ value = '', readOnly, ...field }: Props) => {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), TYPING_DELAY_MS)
  const query = { sort: 'name', order: 'asc', ...(asked !== '' && { search: asked }) }
  const { data, isError } = useListPage(borrowerList, { query, limit: OFFERED })
  const found = (data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
  // One from a draft or a page before may not be among those found.
  const isApart = value !== '' && data !== undefined && !found.some((each) => each.value === value)
  const chosen = useBorrower(isApart ? value : null, t('borrowers.failed')).data?.borrower
  const more = chosen && isApart ? [{ value, label: chosen.name }] : []
  const total = data?.total ?? 0
  const isLong = total > OFFERED || search !== ''
  return (
    <>
      {isLong && (
        <TextInput
          type="search"
          label={onRecord('borrower.find')}
          description={onRecord('borrower.find.hint', { count: total })}
          autoComplete="off"
          maxLength={200}
          value={search}
          readOnly={readOnly}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <NativeSelect
        data-autofocus={!isLong}
        description={isError ? t('borrowers.failed') : undefined}
        data={[{ value: '', label: t('choose') }, ...more, ...found]}
        value={value}
        {...field}
      />
    </>
  )
}
