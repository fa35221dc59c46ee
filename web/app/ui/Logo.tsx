import { configuration } from '../configuration.ts'
import classes from './Logo.module.css'

/** A drop that falls into a pool, and its rings. */
export const LogoMark = ({ size = 28 }: { size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 32 32"
    fill="none"
    aria-hidden="true"
    className={classes.mark}
  >
    <path
      d="M16 3c3.4 4 5.1 6.9 5.1 9.2a5.1 5.1 0 0 1-10.2 0C10.9 9.9 12.6 7 16 3Z"
      fill="currentColor"
    />
    <path
      d="M8.5 19.2C5.2 20 3 21.4 3 23c0 2.8 5.8 5 13 5s13-2.2 13-5c0-1.6-2.2-3-5.5-3.8"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
    />
    <path
      d="M11.5 22.3c1.3.5 2.8.7 4.5.7s3.2-.2 4.5-.7"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
    />
  </svg>
)

/** The mark and the product's name. */
export const Logo = () => (
  <span className={classes.logo}>
    <LogoMark />
    <span className={classes.name}>{configuration().productName}</span>
  </span>
)
