import classes from './Choice.module.css'

type Props<Name extends string> = {
  /** The name of the group. */
  readonly label: string
  readonly options: readonly { readonly name: Name; readonly label: string }[]
  /** Null while none is chosen. */
  readonly chosen: Name | null
  readonly onChoose: (name: Name) => void
}

/** A row of small buttons, one of them pressed. */
export const Choice = <Name extends string>({ label, options, chosen, onChoose }: Props<Name>) => (
  <fieldset className={classes.choice} aria-label={label}>
    {options.map((option) => (
      <button
        key={option.name}
        type="button"
        aria-pressed={option.name === chosen}
        onClick={() => onChoose(option.name)}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
)
