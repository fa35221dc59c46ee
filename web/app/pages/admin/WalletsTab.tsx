import { Button, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { callFailed } from '@pool/contract/messages'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { WalletRow } from '../../api/wallets.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { AddWalletDialog } from './AddWalletDialog.tsx'
import classes from './AdminDashboard.module.css'
import { type Listing, LoadingRows } from './AdminTable.tsx'
import { DeleteWalletDialog } from './DeleteWalletDialog.tsx'
import { useSubject } from './useSubject.ts'
import { WalletCard } from './WalletCard.tsx'

/** 'Wallet Management' (spec §2): the deposit wallets as cards. */
export const WalletsTab = ({ query }: { query: Listing<WalletRow> }) => {
  const [adding, setAdding] = useState(false)
  const deleting = useSubject<WalletRow>()
  const wallets = query.data
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Add Wallet
    </Button>
  )
  return (
    <>
      <Group justify="space-between" p="md" gap="sm">
        <div>
          <Title order={2} size="h4">
            Wallet Management
          </Title>
          {wallets && (
            <Text size="sm" c="dimmed">
              Wallets ({wallets.length})
            </Text>
          )}
        </div>
        {wallets?.length !== 0 && add}
      </Group>
      {query.isError && <ErrorState message={callFailed.fetchWallets} retrying={query.isFetching} onRetry={() => void query.refetch()} />}
      {query.isPending && <LoadingRows what="Wallets" />}
      {wallets?.length === 0 && <EmptyState title="No wallets found" text="Get started by adding your first wallet." action={add} />}
      {wallets && wallets.length > 0 && (
        <SimpleGrid
          component="ul"
          cols={{ base: 1, sm: 2, lg: 3 }}
          spacing="md"
          p="md"
          pt={0}
          className={classes.stats}
          aria-label="Wallets"
        >
          {wallets.map((wallet) => (
            <WalletCard key={wallet.id} wallet={wallet} onDelete={() => deleting.open(wallet)} />
          ))}
        </SimpleGrid>
      )}
      <AddWalletDialog opened={adding} onClose={() => setAdding(false)} />
      {deleting.row && <DeleteWalletDialog wallet={deleting.row} opened={deleting.opened} onClose={deleting.close} />}
    </>
  )
}
