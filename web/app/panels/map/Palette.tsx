import { type KeyboardEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { Dialog } from '../../forms/FormDialog.tsx'
import { t as name } from '../../i18n/map.ts'
import { t } from '../../i18n/palette.ts'
import { acts, actsFor, pages, pagesFor } from '../../layout/map.ts'
import type { SessionUser } from '../../session/store.ts'
import classes from './Palette.module.css'
import { readRecent, rememberRecent } from './recent.ts'
import { type FoundLine, kinds, usePaletteSearch } from './usePaletteSearch.ts'

/** Letters without their accents, so that `prestamos` finds `Préstamos`. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The lines that need no server: pages, acts and the last ones. */
const knownTo = ({ id, role }: SessionUser): readonly FoundLine[] => [
  ...readRecent(id),
  ...actsFor(role).map((act) => ({
    kind: 'act' as const,
    path: acts[act].path,
    label: t(`act.${act}`),
  })),
  ...pagesFor(role).map((page) => ({
    kind: 'page' as const,
    path: pages[page].path,
    label: name(page),
    hint: `G ${pages[page].key.toUpperCase()}`,
  })),
]

type Props = {
  readonly user: SessionUser
  readonly opened: boolean
  readonly onClose: () => void
}

const Search = ({ user, onClose }: Omit<Props, 'opened'>) => {
  const navigate = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [known] = useState(() => knownTo(user))
  const { rows, isWaiting, isFailed } = usePaletteSearch(user, typed)
  const asked = plain(typed.trim())
  const matching = known.filter(
    ({ kind, label }) => plain(label).includes(asked) && (asked === '' || kind !== 'recent'),
  )
  const lines = kinds.flatMap((kind) => [...matching, ...rows].filter((each) => each.kind === kind))
  const current = Math.min(at, lines.length - 1)
  const open = (line: FoundLine | undefined) => {
    if (!line) return
    if (line.kind !== 'act') rememberRecent(user.id, line)
    onClose()
    void navigate(line.path)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(lines[current])
    else if (event.key === 'ArrowDown') setAt((current + 1) % Math.max(lines.length, 1))
    else if (event.key === 'ArrowUp')
      setAt((current - 1 + lines.length) % Math.max(lines.length, 1))
    else return
    event.preventDefault()
  }
  const optionId = (place: number) => `${id}-${place}`
  return (
    <>
      <input
        className={classes.input}
        type="text"
        role="combobox"
        aria-expanded={lines.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(lines.length > 0 && { 'aria-activedescendant': optionId(current) })}
        aria-label={name('palette')}
        placeholder={t('placeholder')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <p role="status" className={classes.none}>
        {isFailed && t('failed')}
        {!isFailed && lines.length === 0 && !isWaiting && t('none')}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label={name('palette')} className={classes.list}>
        {lines.map(({ kind, path, label, hint }, place) => (
          <div key={`${kind} ${path}`} role="presentation">
            {lines[place - 1]?.kind !== kind && (
              <p className={classes.kind} aria-hidden>
                {t(`found.${kind}`)}
              </p>
            )}
            {/* The field has the focus, and its keys choose. */}
            <div
              id={optionId(place)}
              role="option"
              tabIndex={-1}
              aria-selected={place === current}
              className={classes.option}
              ref={(element) => {
                if (place === current) element?.scrollIntoView({ block: 'nearest' })
              }}
              onClick={() => open(lines[place])}
              onKeyDown={onKey}
              onPointerMove={() => setAt(place)}
            >
              <span>{label}</span>
              {hint && <small>{hint}</small>}
            </div>
          </div>
        ))}
      </div>
    </>
  )
}

/** Pages, acts and rows by what is typed, for the keyboard (Ctrl K). */
export const Palette = ({ user, opened, onClose }: Props) => (
  <Dialog title={name('palette')} opened={opened} onClose={onClose}>
    <Search user={user} onClose={onClose} />
  </Dialog>
)
