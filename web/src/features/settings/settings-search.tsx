import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { Popover, PopoverAnchor, PopoverContent } from "../../components/ui/popover.tsx";
import { matchSettingPlaces, settingPlacesQuery } from "./setting-places.ts";

/** Finds a setting by its name and leads to its section. */
export function SettingsSearch() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [wanted, setWanted] = useState("");
  const places = useQuery({ ...settingPlacesQuery, enabled: wanted !== "" }).data ?? [];
  const found = matchSettingPlaces(places, wanted, t);
  return (
    <Popover open={found.length > 0} onOpenChange={(open) => !open && setWanted("")}>
      <PopoverAnchor asChild>
        <div className="w-full sm:w-64">
          <SearchInput main label={t("搜索设置")} value={wanted} onSearch={(value) => setWanted(value ?? "")} />
        </div>
      </PopoverAnchor>
      <PopoverContent align="end" className="w-80 p-1" onOpenAutoFocus={(event) => event.preventDefault()}>
        <ul>
          {found.map(({ tab, section, title, label }) => (
            <li key={`${section} ${label ?? ""}`}>
              <button
                type="button"
                className="flex w-full flex-col rounded-md px-2.5 py-1.5 text-left text-[13px] hover:bg-muted"
                onClick={() => {
                  setWanted("");
                  void navigate({ to: "/admin/settings", search: { tab }, hash: section });
                }}
              >
                <span>{t(label ?? title)}</span>
                {label !== undefined && <span className="text-xs text-muted-foreground">{t(title)}</span>}
              </button>
            </li>
          ))}
        </ul>
      </PopoverContent>
    </Popover>
  );
}
