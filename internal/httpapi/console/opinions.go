package console

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// nameOpinions puts the names of members into what they said.
func nameOpinions(ctx context.Context, members *team.Members, said ...[]wire.Opinion) error {
	var ids []idv.UserID
	for _, all := range said {
		for _, o := range all {
			if id, ok := idv.ParseID[idv.UserID](o.By); ok {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	names, err := members.Names(ctx, ids...)
	for _, all := range said {
		for i := range all {
			all[i].Name = names[idv.UserID(all[i].By)]
		}
	}
	return err
}
