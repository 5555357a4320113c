import { Checkbox } from "@mantine/core";
import type { Role } from "../../api/wire.ts";
import { t } from "../words.ts";
import css from "./Team.module.css";

const roles: readonly Role[] = [
  "owner",
  "admin",
  "reviewer",
  "senior_reviewer",
  "developer",
  "privacy_officer",
  "auditor",
];

const isRole = (value: string): value is Role => roles.some((role) => role === value);

/** The roles with what each may do. Only an owner can give the owner's. */
export function RoleChoice({
  value,
  onChange,
  mine,
}: {
  value: readonly Role[];
  onChange: (roles: Role[]) => void;
  mine: readonly Role[];
}) {
  return (
    <Checkbox.Group label={t("team.roles")} value={[...value]} onChange={(chosen) => onChange(chosen.filter(isRole))}>
      <div className={css.roles}>
        {roles.map((role) => (
          <Checkbox
            key={role}
            value={role}
            label={t(`role.${role}`)}
            description={role === "owner" && !mine.includes("owner") ? t("team.owner_only") : t(`role.${role}.may`)}
            disabled={role === "owner" && !mine.includes("owner")}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
