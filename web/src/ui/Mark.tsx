/** The mark: an open ring that closes, a seal being completed. `closed` is for what is verified. */
export function Mark({ size = 24, closed = false }: { size?: number; closed?: boolean }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      {closed ? (
        <circle cx="12" cy="12" r="8.5" strokeWidth="3" />
      ) : (
        <path d="M17.46 5.49A8.5 8.5 0 1 0 20.5 12" strokeWidth="3" strokeLinecap="round" />
      )}
      <circle cx={closed ? 12 : 20} cy={closed ? 12 : 7.6} r={closed ? 3 : 1.7} fill="currentColor" stroke="none" />
    </svg>
  );
}
