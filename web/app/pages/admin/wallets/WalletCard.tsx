import { ActionIcon, Box, Group, Text, Title } from '@mantine/core'
import { COPY_CONFIRMATION_MS } from '@pool/contract/accounts/session'
import { succeeded } from '@pool/contract/base/messages'
import type { WalletStatus } from '@pool/contract/chain/wallets'
import {
  IconArchive,
  IconArchiveOff,
  IconCopy,
  IconExternalLink,
  IconTrash,
} from '@tabler/icons-react'
import { statusOf, type WalletRow } from '../../../api/chain/wallets.ts'
import { t } from '../../../i18n/admin.ts'
import { common } from '../../../i18n/common.ts'
import { useMayWrite } from '../../../session/store.ts'
import { Code, Tag } from '../../../tables/cells.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { addressUrl } from '../../../ui/explorer.ts'
import { NetworkBadge } from '../../../ui/NetworkBadge.tsx'
import { PersonLink } from '../../../ui/PersonLink.tsx'
import { toast } from '../../../ui/toasts.ts'
import classes from './WalletCard.module.css'

/** Copies an address and says so. */
const copy = async (address: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(address)
    toast({ message: succeeded.addressCopied, shownFor: COPY_CONFIRMATION_MS })
  } catch {
    toast({ message: t('wallets.copyRefused'), tone: 'bad', isUrgent: true })
  }
}

/** The shortened address, with buttons to copy it and to see it on its chain. */
const Address = ({ wallet: { address, networkName } }: { wallet: WalletRow }) => {
  const url = addressUrl(networkName, address)
  const named = { network: networkName, address }
  return (
    <div className={classes.address}>
      <Code text={address} />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('wallets.copy', named)}
        onClick={() => void copy(address)}
      >
        <IconCopy size={16} aria-hidden />
      </ActionIcon>
      {url && (
        <ActionIcon
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          variant="subtle"
          color="gray"
          title={common('explorer')}
          aria-label={t('wallets.explorer', named)}
        >
          <IconExternalLink size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

/** An available wallet can be deleted, an assigned one archived, an archived one restored. */
const looks = {
  available: { tone: 'green', icon: IconTrash, color: 'red', label: 'wallets.delete' },
  assigned: { tone: 'blue', icon: IconArchive, color: 'gray', label: 'wallets.archive' },
  archived: { tone: 'grey', icon: IconArchiveOff, color: 'gray', label: 'wallets.restore' },
  waiting: { tone: 'amber', icon: null, color: 'gray', label: 'wallets.delete' },
} as const satisfies Record<WalletStatus, object>

type Props = { readonly wallet: WalletRow; readonly onChange: () => void }

/** One deposit wallet with its state, its owner and its action (docs/product.md 3.12). */
export const WalletCard = ({ wallet, onChange }: Props) => {
  const { networkName, address, owner, ownerId, dateCreated, dateArchived } = wallet
  const mayWrite = useMayWrite()
  const status = statusOf(wallet)
  const { tone, icon: Icon, color, label } = looks[status]
  return (
    <Box component="li" p="md" className={classes.card ?? ''}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={3} size="h5">
            {networkName}
          </Title>
          <Address wallet={wallet} />
        </div>
        {mayWrite && Icon && (
          <ActionIcon
            variant="subtle"
            color={color}
            size="lg"
            mt={-6}
            mr={-6}
            aria-label={t(label, { network: networkName, address })}
            onClick={onChange}
          >
            <Icon size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Group gap="xs" mt="md">
        <NetworkBadge network={networkName} />
        <Tag tone={tone}>{t(`wallets.${status}`)}</Tag>
      </Group>
      {owner && (
        <Text size="sm" mt="sm" className={classes.owner}>
          {t('wallets.owner')} <PersonLink id={ownerId}>{owner}</PersonLink>
        </Text>
      )}
      <Text size="xs" c="dimmed" component="div" mt="sm">
        {t('wallets.created')} <DateTime at={dateCreated} />
      </Text>
      {dateArchived && (
        <Text size="xs" c="dimmed" component="div">
          {t('wallets.archived')} <DateTime at={dateArchived} />
        </Text>
      )}
    </Box>
  )
}
