import { IconUserCircle } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { common } from '../../i18n/common.ts'
import { type Shortcut, useShortcuts } from '../../layout/shortcuts/shortcuts.ts'
import { late } from '../../loading/missing.ts'
import { onceIdle } from '../../loading/onceIdle.ts'
import { dialogOnDemand, onDemand } from '../../loading/onDemand.tsx'
import { logout, type SessionUser } from '../../session/store.ts'
import classes from './AccountMenu.module.css'

// No screen waits for the bell. Its place is too small for a sentence, which the corner has.
const Bell = onDemand(
  async () => {
    await new Promise<void>((resolve) => void onceIdle(resolve))
    return (await late(() => import('../notices/Bell.tsx'))).Bell
  },
  { missing: () => null },
)
const AccountEntries = onDemand(async () => (await import('./AccountEntries.tsx')).AccountEntries)
const ShortcutsDialog = dialogOnDemand(
  async () => (await import('../../layout/shortcuts/ShortcutsDialog.tsx')).ShortcutsDialog,
)

const MENU = 'account-menu'

type Props = {
  readonly user: SessionUser
  /** The shortcuts of this screen. */
  readonly shortcuts: readonly Shortcut[]
  /** Opens the payout address. Staff have none. */
  readonly onPayoutAddress?: () => void
}

/** The owner of the screen, and all that belongs to the account. */
export const AccountMenu = ({ user, shortcuts, onPayoutAddress }: Props) => {
  const menu = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState(false)
  const [opened, setOpened] = useState(false)
  const openShortcuts = () => {
    setAsked(true)
    setOpened(true)
  }
  // The pointer or the focus comes near: time to fetch the entries.
  const [near, setNear] = useState(false)
  const approach = () => setNear(true)
  const all = [...shortcuts, { key: '?', label: common('shortcuts.list'), run: openShortcuts }]
  useShortcuts(all)
  // Closing the menu gives the focus to its button, and dialogs give it back there.
  const then = (act: () => void) => () => {
    menu.current?.hidePopover()
    act()
  }
  return (
    <>
      <Bell />
      <button
        type="button"
        className={classes.button}
        popoverTarget={MENU}
        onPointerEnter={approach}
        onFocus={approach}
        onClick={approach}
        title={user.email}
        aria-label={`${common('account')} ${user.email}`}
      >
        <IconUserCircle size={20} stroke={1.6} aria-hidden />
        <span className={classes.email}>{user.email}</span>
      </button>
      <nav
        ref={menu}
        id={MENU}
        popover="auto"
        className={classes.menu}
        aria-label={common('account')}
      >
        {near && (
          <AccountEntries
            user={user}
            onPayoutAddress={onPayoutAddress && then(onPayoutAddress)}
            onShortcuts={then(openShortcuts)}
            onLogout={then(logout)}
          />
        )}
      </nav>
      {asked && (
        <ShortcutsDialog
          shortcuts={all}
          role={user.role}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}
