import type { Role } from '@pool/contract/accounts/users'
import { useLocation } from 'react-router'
import { Dialog } from '../../forms/FormDialog.tsx'
import { common } from '../../i18n/common.ts'
import { t as help } from '../../i18n/help.ts'
import { t as name } from '../../i18n/map.ts'
import { pageAt, pages, pagesFor } from '../map.ts'
import classes from './ShortcutsDialog.module.css'
import { type Shortcut, setShortcutsOn, useShortcutsOn } from './shortcuts.ts'

type Props = {
  readonly shortcuts: readonly Shortcut[]
  readonly role: Role
  readonly opened: boolean
  readonly onClose: () => void
}

type Key = { readonly keys: readonly string[]; readonly label: string }

const List = ({ keys, off }: { readonly keys: readonly Key[]; readonly off: boolean }) => (
  <dl className={classes.list} data-off={off || undefined}>
    {keys.map(({ keys, label }) => (
      <div key={keys.join(' ')} className={classes.entry}>
        <dt>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </dt>
        <dd>{label}</dd>
      </div>
    ))}
  </dl>
)

/** Says what the page is for, lists the keys of screen and pages, and turns single keys off. */
export const ShortcutsDialog = ({ shortcuts, role, opened, onClose }: Props) => {
  const on = useShortcutsOn()
  const { pathname, search } = useLocation()
  const page = pageAt(pathname, search)
  return (
    <Dialog title={common('shortcuts.title')} opened={opened} onClose={onClose}>
      {page && (
        <p className={classes.help}>
          <strong>{name(page)}</strong> {help(page)}
        </p>
      )}
      <List
        off={!on}
        keys={[
          ...shortcuts.map(({ key, label }) => ({ keys: [key], label })),
          { keys: ['Ctrl', 'K'], label: name('palette') },
          { keys: ['Esc'], label: common('shortcuts.close') },
        ]}
      />
      <h3 className={classes.heading}>{common('nav.pages')}</h3>
      <List
        off={!on}
        keys={pagesFor(role).map((page) => ({ keys: ['g', pages[page].key], label: name(page) }))}
      />
      <label className={classes.switch}>
        <input
          type="checkbox"
          checked={on}
          onChange={({ currentTarget }) => setShortcutsOn(currentTarget.checked)}
        />
        <span>
          {common('shortcuts.on')}
          <small>{common('shortcuts.onText')}</small>
        </span>
      </label>
    </Dialog>
  )
}
