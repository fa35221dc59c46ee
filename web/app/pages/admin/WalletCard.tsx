import { ActionIcon, Box, Group, Text, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { WalletRow } from '../../api/wallets.ts'
import { t } from '../../i18n/admin.ts'
import { Code, Tag } from '../../tables/cells.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import page from './AdminDashboard.module.css'

/** One deposit wallet with its state and the delete icon (docs/product.md 3.12). */
export const WalletCard = ({ wallet, onDelete }: { wallet: WalletRow; onDelete: () => void }) => (
  <Box component="li" p="md" className={page.card}>
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Title order={3} size="h5">
          {wallet.networkName}
        </Title>
        <Code text={wallet.address} />
      </div>
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        mt={-6}
        mr={-6}
        aria-label={t('wallets.delete', { network: wallet.networkName, address: wallet.address })}
        onClick={onDelete}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Group>
    <Group gap="xs" mt="md">
      <NetworkBadge network={wallet.networkName} />
      <Tag tone={wallet.assigned ? 'blue' : 'green'}>
        {wallet.assigned ? t('wallets.assigned') : t('wallets.available')}
      </Tag>
    </Group>
    <Text size="xs" c="dimmed" component="div" mt="sm">
      {t('wallets.created')} <DateTime at={wallet.dateCreated} />
    </Text>
  </Box>
)
