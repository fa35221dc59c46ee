import { Dialog } from '../../forms/FormDialog.tsx'
import { common } from '../../i18n/common.ts'
import classes from './ShortcutsDialog.module.css'
import { type Shortcut, setShortcutsOn, useShortcutsOn } from './shortcuts.ts'

const Keys = ({ keys }: { keys: string }) => {
  const [first, ...others] = keys.split(' ')
  return (
    <>
      <kbd>{first}</kbd>
      {others.map((key) => (
        <span key={key}>
          {` ${common('shortcuts.then')} `}
          <kbd>{key}</kbd>
        </span>
      ))}
    </>
  )
}

type Props = {
  readonly shortcuts: readonly Shortcut[]
  readonly opened: boolean
  readonly onClose: () => void
}

/** Every key that does something on this screen, and the way to switch single keys off. */
export const ShortcutsDialog = ({ shortcuts, opened, onClose }: Props) => {
  const on = useShortcutsOn()
  return (
    <Dialog title={common('shortcuts.title')} opened={opened} onClose={onClose}>
      <dl className={classes.list} data-off={!on || undefined}>
        {[...shortcuts, { keys: 'Esc', label: common('shortcuts.close') }].map(
          ({ keys, label }) => (
            <div key={keys} className={classes.entry}>
              <dt>
                <Keys keys={keys} />
              </dt>
              <dd>{label}</dd>
            </div>
          ),
        )}
      </dl>
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
