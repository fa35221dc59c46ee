import { t } from '../../i18n/landing.ts'
import classes from './MoneyFlow.module.css'

const rings = [168, 134, 102, 72, 44, 20] as const

/**
 * The four paths of money, in the order of the four steps. The style sheet repeats them for the
 * coins.
 */
const ways = [
  { step: 'invest', path: 'M70 196 C 84 96, 152 74, 196 156' },
  { step: 'lend', path: 'M204 156 C 248 74, 316 96, 330 196' },
  { step: 'repay', path: 'M326 246 C 312 306, 262 338, 226 340' },
  { step: 'earn', path: 'M174 340 C 138 338, 88 306, 74 246' },
] as const

/** The label beside each path. */
const words = [
  { word: 'invest', x: 66, y: 146, anchor: 'end' },
  { word: 'lend', x: 334, y: 146, anchor: 'start' },
  { word: 'repay', x: 318, y: 312, anchor: 'start' },
  { word: 'earn', x: 82, y: 312, anchor: 'end' },
] as const

const places = [
  { name: 'you', x: 62, y: 222, width: 72 },
  { name: 'borrowers', x: 338, y: 222, width: 98 },
  { name: 'reserve', x: 200, y: 342, width: 88 },
] as const

/** Draws the way of the money: from you to borrowers, into the reserve, and back to you. */
export const MoneyFlow = () => (
  <figure className={classes.figure}>
    <svg viewBox="0 0 400 400" role="img" aria-label={t('flow.label')} className={classes.flow}>
      <defs>
        <radialGradient id="water" cx="50%" cy="42%" r="50%">
          <stop offset="0" stopColor="#7fe0e6" stopOpacity=".5" />
          <stop offset=".55" stopColor="#1f8796" stopOpacity=".28" />
          <stop offset="1" stopColor="#0b5c6b" stopOpacity="0" />
        </radialGradient>
      </defs>
      <ellipse cx="200" cy="222" rx="190" ry="92" fill="url(#water)" />
      {rings.map((radius, index) => (
        <ellipse
          key={radius}
          cx="200"
          cy="222"
          rx={radius}
          ry={radius * 0.42}
          className={classes.ring}
          data-ring={index}
        />
      ))}
      {ways.map(({ step, path }) => (
        <path key={step} d={path} className={classes.way} />
      ))}
      {ways.map(({ step }) => (
        <circle key={step} r="6.5" className={classes.coin} data-step={step} />
      ))}
      <path
        d="M200 178c11 13 16.5 22.4 16.5 29.800a16.5 16.5 0 0 1-33 0C183.5 200.4 189 191 200 178Z"
        className={classes.drop}
      />
      {words.map(({ word, x, y, anchor }) => (
        <text key={word} x={x} y={y} textAnchor={anchor} className={classes.word}>
          {t(`flow.${word}`)}
        </text>
      ))}
      {places.map(({ name, x, y, width }) => (
        <g key={name}>
          <rect
            x={x - width / 2}
            y={y - 17}
            width={width}
            height="34"
            rx="17"
            className={classes.place}
          />
          <text x={x} y={y + 5} className={classes.name}>
            {t(`flow.${name}`)}
          </text>
        </g>
      ))}
      <text x="200" y="262" className={classes.pool}>
        {t('flow.pool')}
      </text>
    </svg>
  </figure>
)
