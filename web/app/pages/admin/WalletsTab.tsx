import { Button, Group, Text, Title } from '@mantine/core'
import { callFailed } from '@pool/contract/messages'
import { listWallets } from '@pool/contract/wallets'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { type ListPage, useListPage } from '../../api/http/lists.ts'
import { type WalletRow, walletList } from '../../api/wallets.ts'
import { t } from '../../i18n/admin.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import { counted } from '../../tables/counted.ts'
import { NothingMatches } from '../../tables/NothingMatches.tsx'
import { Pager } from '../../tables/Pager.tsx'
import { isNarrowed, type ListState, useListState } from '../../tables/state.ts'
import { Toolbar } from '../../tables/Toolbar.tsx'
import { filtersOf } from '../../tables/urlState.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LoadingRows } from '../../ui/LoadingRows.tsx'
import classes from './AdminDashboard.module.css'
import { useTotals } from './totals.ts'
import { useSubject } from './useSubject.ts'
import { WalletCard } from './WalletCard.tsx'

const AddWalletDialog = onDemand(
  async () => (await import('./AddWalletDialog.tsx')).AddWalletDialog,
)
const DeleteWalletDialog = onDemand(
  async () => (await import('./DeleteWalletDialog.tsx')).DeleteWalletDialog,
)

const filters = filtersOf(listWallets.paged, {
  status: { label: t('wallets.status'), nameOf: (status) => t(`wallets.${status}`) },
  network: { label: t('wallets.network'), nameOf: (network) => network },
})

type CardsProps = {
  readonly page: ListPage<WalletRow>
  readonly stale: boolean
  readonly state: ListState
  readonly add: ReactNode
  readonly onDelete: (wallet: WalletRow) => void
}

const Cards = ({ page, stale, state, add, onDelete }: CardsProps) => {
  const { rows, total, next } = page
  if (total === 0 && !isNarrowed(state))
    return <EmptyState title={t('wallets.empty')} text={t('wallets.empty.text')} action={add} />
  return (
    <>
      <NothingMatches state={state} isSo={total === 0} />
      {total > 0 && (
        <>
          <ul className={`${classes.grid} ${classes.cards}`} aria-label={t('wallets')}>
            {rows.map((wallet) => (
              <WalletCard key={wallet.id} wallet={wallet} onDelete={() => onDelete(wallet)} />
            ))}
          </ul>
          <Pager
            state={state}
            shown={rows.length}
            total={counted(page)}
            next={next}
            stale={stale}
          />
        </>
      )}
    </>
  )
}

/** 'Wallet Management': the deposit wallets as cards (docs/product.md 3.12). */
export const WalletsTab = () => {
  const [adding, setAdding] = useState<boolean | null>(null)
  const deleting = useSubject<WalletRow>()
  const { data: available } = useTotals.availableWallets()
  const state = useListState('wallets', { sorts: [], filters })
  const { data, isError, isFetching, isPlaceholderData, refetch } = useListPage(walletList, {
    query: state.query,
    limit: state.size,
    cursor: state.place.cursor,
  })
  const retry = () => (state.place.cursor ? state.set({}) : void refetch())
  const isEmpty = data?.total === 0 && state.filters === 0 && !state.get('search')
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('wallets.add')}
    </Button>
  )
  return (
    <div className={classes.wallets}>
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2} size="h4">
            {t('wallets.management')}
          </Title>
          {data && (
            <Text size="sm" c="dimmed">
              {t('wallets.counted', { count: counted(data) })}
            </Text>
          )}
          {available !== undefined && !isEmpty && (
            <Text size="sm" c="dimmed">
              {t('wallets.stock', { available })}
            </Text>
          )}
        </div>
        {data && !isEmpty && add}
      </Group>
      {data && !isEmpty && (
        <Toolbar state={state} searchLabel={t('wallets.search')} filters={filters} />
      )}
      {isError && (
        <ErrorState message={callFailed.fetchWallets} retrying={isFetching} onRetry={retry} />
      )}
      {!data && !isError && <LoadingRows label={t('wallets.loading')} />}
      {data && (
        <Cards
          page={data}
          stale={isPlaceholderData}
          state={state}
          add={add}
          onDelete={deleting.open}
        />
      )}
      {adding !== null && <AddWalletDialog opened={adding} onClose={() => setAdding(false)} />}
      {deleting.row && (
        <DeleteWalletDialog
          wallet={deleting.row}
          opened={deleting.opened}
          onClose={deleting.close}
        />
      )}
    </div>
  )
}
