const radii = Array.from({ length: 12 }, (_, index) => 40 + index * 46 + index * index * 2)

/** The rings of the pool as a background. */
export const Rings = ({ className }: { className: string | undefined }) => (
  <svg
    className={className}
    viewBox="-900 -420 1800 840"
    preserveAspectRatio="xMidYMid slice"
    fill="none"
    stroke="currentColor"
    aria-hidden="true"
  >
    {radii.map((radius) => (
      <ellipse key={radius} rx={radius} ry={radius * 0.44} strokeWidth="1.5" />
    ))}
  </svg>
)
