import { IconKeyboard } from '@tabler/icons-react'
import { useState } from 'react'
import { common } from '../../i18n/common.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import classes from './ShortcutsButton.module.css'
import { type Shortcut, useShortcuts } from './shortcuts.ts'

const ShortcutsDialog = onDemand(
  async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog,
)

/** Listens for a screen's shortcuts and opens the dialog that lists them. */
export const ShortcutsButton = ({ shortcuts }: { shortcuts: readonly Shortcut[] }) => {
  const [asked, setAsked] = useState(false)
  const [opened, setOpened] = useState(false)
  const open = () => {
    setAsked(true)
    setOpened(true)
  }
  const all = [...shortcuts, { key: '?', label: common('shortcuts.list'), run: open }]
  useShortcuts(all)
  return (
    <>
      <button type="button" className={classes.button} onClick={open}>
        <IconKeyboard size={18} stroke={1.75} aria-hidden />
        <span className={classes.label}>{common('shortcuts')}</span>
      </button>
      {asked && (
        <ShortcutsDialog shortcuts={all} opened={opened} onClose={() => setOpened(false)} />
      )}
    </>
  )
}
