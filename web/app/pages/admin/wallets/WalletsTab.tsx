import { Button, Group, Text, Title } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { statusOf, type WalletRow, walletList } from '../../../api/chain/wallets.ts'
import { type ListPage, useListPage } from '../../../api/http/lists.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/admin.ts'
import { useAsked } from '../../../layout/useAsked.ts'
import { dialogOnDemand, onDemand } from '../../../loading/onDemand.tsx'
import { useMayWrite } from '../../../session/store.ts'
import { counted } from '../../../tables/counted.ts'
import type { CsvColumn } from '../../../tables/csv.ts'
import { ExportButton } from '../../../tables/ExportButton.tsx'
import { NothingMatches } from '../../../tables/NothingMatches.tsx'
import { Pager } from '../../../tables/Pager.tsx'
import { isNarrowed, type ListState, useListState } from '../../../tables/state.ts'
import { Toolbar } from '../../../tables/Toolbar.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingRows } from '../../../ui/LoadingRows.tsx'
import { filters, useDrafted, useTabLink } from '../tabs/tabs.ts'
import { useTotals } from '../tabs/totals.ts'
import { WalletCard } from './WalletCard.tsx'
import classes from './WalletsTab.module.css'

const AddWalletDialog = dialogOnDemand(
  async () => (await import('./AddWalletDialog.tsx')).AddWalletDialog,
)
const AddListDialog = dialogOnDemand(
  async () => (await import('./AddListDialog.tsx')).AddListDialog,
)
const ArchiveWalletDialog = dialogOnDemand(
  async () => (await import('./ArchiveWalletDialog.tsx')).ArchiveWalletDialog,
)
const DeleteWalletDialog = dialogOnDemand(
  async () => (await import('./DeleteWalletDialog.tsx')).DeleteWalletDialog,
)

const Keys = onDemand(async () => (await import('./Keys.tsx')).Keys)
const Waiting = onDemand(async () => (await import('./Waiting.tsx')).Waiting)

const csv: readonly CsvColumn<WalletRow>[] = [
  { heading: t('csv.id'), value: ({ id }) => id },
  { heading: t('csv.network'), value: ({ networkName }) => networkName },
  { heading: t('csv.wallet'), value: ({ address }) => address },
  {
    heading: t('wallets.status'),
    value: (wallet) => t(`wallets.${statusOf(wallet)}`),
  },
  { heading: t('csv.owner'), value: ({ owner }) => owner },
  { heading: t('csv.created'), value: ({ dateCreated }) => dateCreated },
  { heading: t('csv.archived'), value: ({ dateArchived }) => dateArchived },
]

type CardsProps = {
  readonly page: ListPage<WalletRow>
  readonly stale: boolean
  readonly state: ListState
  readonly add: ReactNode
  readonly onChange: (wallet: WalletRow) => void
}

const Cards = ({ page, stale, state, add, onChange }: CardsProps) => {
  const { rows, total, next, asOf } = page
  if (total === 0 && !isNarrowed(state))
    return <EmptyState title={t('wallets.empty')} text={t('wallets.empty.text')} action={add} />
  return (
    <>
      <NothingMatches state={state} isSo={total === 0} />
      {total > 0 && (
        <>
          <ul className={classes.cards} aria-label={t('wallets')}>
            {rows.map((wallet) => (
              <WalletCard key={wallet.id} wallet={wallet} onChange={() => onChange(wallet)} />
            ))}
          </ul>
          <Pager
            of={t('wallets')}
            state={state}
            shown={rows.length}
            total={counted(page)}
            next={next}
            asOf={asOf}
            stale={stale}
          />
        </>
      )}
    </>
  )
}

/** The network that the list is filtered by, if it is one alone. New wallets begin with it. */
const networkOf = (state: ListState): string => {
  const network = state.get('network')
  return network.includes(',') ? '' : network
}

/** 'Wallet Management': the deposit wallets as cards (docs/product.md 3.12). */
export const WalletsTab = () => {
  // A dialog that the last session ended in opens again.
  const [drafted] = useState(useDrafted()?.dialog)
  const [adding, setAdding] = useState<boolean | null>(drafted === 'wallet' || null)
  const [listing, setListing] = useState<boolean | null>(drafted === 'walletList' || null)
  useAsked({ wallet: () => setAdding(true), walletList: () => setListing(true) })
  const deleting = useSubject<WalletRow>()
  const archiving = useSubject<WalletRow>()
  const { data: available } = useTotals.availableWallets()
  const { data: archived = 0 } = useTotals.archivedWallets()
  const linkTo = useTabLink()
  const state = useListState('wallets', { sorts: [], filters: filters.wallets })
  const { data, isError, isFetching, isPlaceholderData, refetch } = useListPage(walletList, {
    query: state.query,
    limit: state.size,
    cursor: state.place.cursor,
  })
  const retry = () => (state.place.cursor ? state.set({}) : void refetch())
  const isNew = data?.total === 0 && !isNarrowed(state)
  const isEmpty = isNew && archived === 0
  const network = networkOf(state)
  const add = useMayWrite() && (
    <Group gap="xs">
      <Button variant="default" onClick={() => setListing(true)}>
        {t('addList')}
      </Button>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
        {t('wallets.add')}
      </Button>
    </Group>
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
              {archived > 0 && (
                <>
                  {' · '}
                  <Link to={linkTo('wallets', { status: 'archived' })} preventScrollReset>
                    {t('wallets.archivedCount', { count: archived })}
                  </Link>
                </>
              )}
            </Text>
          )}
        </div>
        {data && !isNew && add}
      </Group>
      <Waiting of="wallets" />
      <Keys network={network} drafted={drafted === 'addressKey'} />
      {data && !isEmpty && (
        <Toolbar state={state} searchLabel={t('wallets.search')} filters={filters.wallets}>
          <ExportButton source={walletList} query={state.query} columns={csv} name="wallets" />
        </Toolbar>
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
          onChange={(wallet) =>
            (statusOf(wallet) === 'available' ? deleting : archiving).open(wallet)
          }
        />
      )}
      {adding !== null && (
        <AddWalletDialog network={network} opened={adding} onClose={() => setAdding(false)} />
      )}
      {listing !== null && (
        <AddListDialog network={network} opened={listing} onClose={() => setListing(false)} />
      )}
      {archiving.row && (
        <ArchiveWalletDialog
          wallet={archiving.row}
          opened={archiving.opened}
          onClose={archiving.close}
        />
      )}
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
