import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { IconChartLine, IconTable } from '@tabler/icons-react'
import { type ReactNode, useDeferredValue, useId, useMemo, useState } from 'react'
import { common } from '../../i18n/common.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import classes from './ChartCard.module.css'
import { FiguresTable } from './FiguresTable.tsx'
import { isFlat, type Picture } from './picture.ts'

const Loading = () => <Skeleton height="100%" radius="sm" />

const Plot = onDemand(async () => (await import('./Plot.tsx')).Plot, { waiting: () => <Loading /> })

/** Draws the chart shortly before it is seen, and reserves its place. */
const WhenNear = ({ children }: { children: ReactNode }) => {
  const { ref, entry } = useIntersection({ rootMargin: '300px' })
  const [near, setNear] = useState(false)
  if (entry?.isIntersecting && !near) setNear(true)
  return <div ref={ref}>{near && children}</div>
}

// The scroll area needs a tab stop. A linter rejects it.
const scrolls = (labelledBy: string) => ({
  tabIndex: 0,
  role: 'group',
  'aria-labelledby': labelledBy,
})

type Props = {
  readonly title: string
  /** The kind of point: 'Day'. */
  readonly heading: string
  /** Undefined while unknown. */
  readonly picture: Picture | undefined
  /** Replaces figures that could not be loaded. */
  readonly failed: ReactNode
  /** The text while all figures are zero. Without it zeros are drawn. */
  readonly empty?: ReactNode
  /** Chooses another part of the figures. */
  readonly choice?: ReactNode
}

/** Figures over time as a drawing or a table. Screen readers always get the table too. */
export const ChartCard = ({ title, heading, picture, failed, empty, choice }: Props) => {
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  const shown = picture && !(empty && isFlat(picture)) ? picture : undefined
  const toggle = common(asTable ? 'chart.asChart' : 'chart.asTable')
  const Icon = asTable ? IconChartLine : IconTable
  // Draws both again for another picture only.
  const table = useMemo(
    () => shown && <FiguresTable label={title} heading={heading} picture={shown} />,
    [title, heading, shown],
  )
  const drawing = useMemo(
    () =>
      shown && (
        <WhenNear>
          <Plot label={title} picture={shown} />
        </WhenNear>
      ),
    [title, shown],
  )
  // Draws the hidden table in turns, after the chart.
  const heard = useDeferredValue(asTable ? undefined : table, undefined)
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.top}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {shown && (
          <button
            type="button"
            className={classes.toggle}
            aria-label={`${toggle}: ${title}`}
            onClick={() => setAsTable(!asTable)}
          >
            <Icon size={15} stroke={1.75} aria-hidden />
            {toggle}
          </button>
        )}
      </div>
      {choice}
      <div className={classes.body}>
        {!picture && (failed || <Loading />)}
        {picture && !shown && empty}
        {shown && asTable && (
          <div className={classes.scroll} {...scrolls(id)}>
            {table}
          </div>
        )}
        {shown && !asTable && (
          <>
            {drawing}
            <VisuallyHidden component="div">{heard}</VisuallyHidden>
          </>
        )}
      </div>
    </section>
  )
}
