import * as validation from '@pool/contract/base/validation'
import { Fragment, type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import { readDollars } from '../i18n/dollars.ts'
import { t } from '../i18n/filters.ts'
import classes from './Filters.module.css'
import type { ListState } from './state.ts'
import toolbar from './Toolbar.module.css'
import {
  type Choice,
  type Choices as Chosen,
  dollarsIn,
  type Filter,
  parametersOf,
} from './urlState.ts'
import { TYPING_DELAY_MS, useEntered } from './useEntered.ts'

type GroupProps = {
  readonly name: string
  /** The number of its choices that are set. */
  readonly chosen: number
  readonly children: ReactNode
}

/** The choices of one group, open at first where one is set. */
const Group = ({ name, chosen, children }: GroupProps) => {
  const [isOpen] = useState(chosen > 0)
  return (
    <details className={classes.group} open={isOpen}>
      <summary>{chosen > 0 ? `${name} (${chosen})` : name}</summary>
      {children}
    </details>
  )
}

const Choices = ({ filter, state }: { filter: Chosen; state: ListState }) => {
  const [entered, setEntered] = useEntered(state.get(filter.name))
  const chosen = entered.split(',').filter(Boolean)
  const toggle = (value: string) => {
    const next = (
      chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]
    ).join(',')
    setEntered(next)
    state.set({ [filter.name]: next })
  }
  const boxes = (choices: readonly Choice[]) => (
    <div className={classes.choices}>
      {choices.map(({ value, label }) => (
        <label key={value} className={classes.choice}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          {label}
        </label>
      ))}
    </div>
  )
  const groups = Map.groupBy(filter.choices, ({ group }) => group)
  return [...groups].map(([name, choices]) =>
    name === undefined ? (
      <Fragment key="">{boxes(choices)}</Fragment>
    ) : (
      <Group
        key={name}
        name={name}
        chosen={choices.filter(({ value }) => chosen.includes(value)).length}
      >
        {boxes(choices)}
      </Group>
    ),
  )
}

type EndProps = { readonly name: string; readonly label: string; readonly state: ListState }

const Day = ({ name, label, state }: EndProps) => {
  const [entered, setEntered] = useEntered(state.get(name))
  const enter = (value: string) => {
    setEntered(value)
    state.set({ [name]: value })
  }
  return (
    <label className={classes.end}>
      {label}
      <input type="date" value={entered} onChange={(event) => enter(event.currentTarget.value)} />
    </label>
  )
}

/** Typed dollars as the URL has them, or an empty text. */
const wireOf = (typed: string): string => dollarsIn(String(readDollars(typed) ?? ''))

const Amount = ({ name, label, state }: EndProps) => {
  const id = useId()
  const asked = state.get(name)
  const [typed, setTyped] = useEntered(asked, wireOf)
  const dollars = wireOf(typed)
  const isWrong = typed.trim() !== '' && dollars === ''
  useEffect(() => {
    if (isWrong || dollars === asked) return
    const timer = setTimeout(
      () => state.set({ [name]: dollars }, { replace: true }),
      TYPING_DELAY_MS,
    )
    return () => clearTimeout(timer)
  })
  return (
    <label className={classes.end}>
      {label}
      <input
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.00"
        value={typed}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? id : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {isWrong && (
        <span id={id} className={classes.wrong} role="alert">
          {validation.amountUnclear}
        </span>
      )}
    </label>
  )
}

/** The two ends of a range, by its kind. */
const ENDS = {
  amounts: { End: Amount, words: ['least', 'most'] },
  days: { End: Day, words: ['from', 'to'] },
} as const satisfies Readonly<Record<Exclude<Filter['kind'], 'choices'>, object>>

const Fields = ({ filter, state }: { filter: Filter; state: ListState }) => {
  if (filter.kind === 'choices') return <Choices filter={filter} state={state} />
  const [from, to] = parametersOf(filter) as [string, string]
  const { End, words } = ENDS[filter.kind]
  return (
    <div className={classes.ends}>
      <End name={from} label={t(words[0])} state={state} />
      <End name={to} label={t(words[1])} state={state} />
    </div>
  )
}

type Props = {
  readonly state: ListState
  readonly filters: readonly Filter[]
  /** The list is too long for filters that no index serves. */
  readonly isTooLong: boolean
  readonly panel: RefObject<HTMLElement | null>
  /** The filter that gets the focus. */
  readonly focused: { readonly name: string } | null
}

/** The fields of all filters of a list. A long list has no filter that no index serves. */
export const FilterFields = ({ state, filters, isTooLong, panel, focused }: Props) => {
  useEffect(() => {
    if (focused)
      panel.current?.querySelector<HTMLElement>(`[data-filter="${focused.name}"] input`)?.focus()
  }, [focused, panel])
  return (
    <>
      <div className={classes.groups}>
        {filters.map((filter) => {
          const isOff = filter.isBounded === true && isTooLong
          return (
            <fieldset
              key={filter.name}
              className={classes.group}
              data-filter={filter.name}
              disabled={isOff}
            >
              <legend>{filter.label}</legend>
              {isOff ? (
                <p className={classes.off}>{t('off')}</p>
              ) : (
                <Fields filter={filter} state={state} />
              )}
            </fieldset>
          )
        })}
      </div>
      <div className={classes.foot}>
        <button
          type="button"
          className={toolbar.button}
          disabled={!state.isFiltered}
          onClick={state.clear}
        >
          {t('clear')}
        </button>
        <button
          type="button"
          className={toolbar.button}
          onClick={() => panel.current?.hidePopover()}
        >
          {t('done')}
        </button>
      </div>
    </>
  )
}
